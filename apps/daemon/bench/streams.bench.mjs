// Throughput of a terminal's viewer through the daemon, as a ratio to a bare pipe, and to a terminal without viewers, measured in one run.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { client, openTerminal } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { atEnd, benchmark, ended } from "../../../scripts/bench/benchmark.mjs";
import { figure } from "../../../scripts/bench/figures.mjs";
import { median } from "../../../scripts/bench/measure.mjs";

const MB = 1024 * 1024;
const megabytes = 10 * Number(process.env.TMPM_TEST_SCALE ?? 1);
const home = mkdtempSync(join(tmpdir(), "tmpm-bench-"));
const daemon = spawn(process.execPath, [join(import.meta.dirname, "../dist/main.js")], {
  env: { ...process.env, TMPM_HOME: home },
  stdio: "ignore",
});
const transport = localTransport({ socket: join(home, "run", "tmpm.sock") });
const tmpm = client({ transport });

/** For each input line, prints the requested number of bytes, and then `done`. */
const PRINT = `while read bytes; do yes "$(printf %0999d 7)" | head -c "$bytes"; printf done; done`;

await benchmark(async () => {
  atEnd(async () => {
    await ended(daemon);
    spawnSync("tmux", ["-S", join(home, "run", "tmux.sock"), "kill-server"]);
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  await started();
  await tmpm.create({ agent: "command", cwd: home, name: "loud", argv: ["/bin/sh", "-c", `stty -echo; ${PRINT}`] });
  await tmpm.create({ agent: "command", cwd: home, name: "echo", argv: ["/bin/cat"] });
  const pipe = await piped();
  const unwatched = await printed(untilShown);
  const terminal = openTerminal(transport, { session: "loud" });
  const watch = reader(terminal);
  await watch.begun;
  await printed(() => watch.heard("done"), MB);
  const watched = await printed(() => watch.heard("done"));
  terminal.close();
  const rate = (seconds) => `${(megabytes / seconds).toFixed(1)} MB/s`;
  figure(`one viewer of ${megabytes} MB relative to a bare pipe`, {
    value: pipe / watched,
    detail: `${rate(watched)} against ${rate(pipe)}`,
  });
  figure(`one viewer of ${megabytes} MB relative to tmux without a reader`, {
    value: unwatched / watched,
    target: 0.6,
    detail: `${rate(watched)} against ${rate(unwatched)}`,
  });
  await echoes();
});

async function started() {
  for (;;) {
    try {
      return await tmpm.health();
    } catch (error) {
      if (error.code !== "DAEMON_UNREACHABLE" || daemon.exitCode !== null) throw error;
      await pause(50);
    }
  }
}

/** Seconds until a pipe has delivered everything. */
async function piped() {
  const child = spawn("/bin/sh", ["-c", PRINT], { stdio: ["pipe", "pipe", "inherit"] });
  const begun = performance.now();
  child.stdin.end(`${megabytes * MB}\n`);
  for await (const _ of child.stdout);
  return (performance.now() - begun) / 1000;
}

/** Seconds until the session has printed everything. */
async function printed(end, bytes = megabytes * MB) {
  const begun = performance.now();
  const over = end();
  await tmpm.keys({ session: "loud", keys: [...String(bytes), "Enter"] });
  await over;
  return (performance.now() - begun) / 1000;
}

/** A new `done` on the screen, without a reader of the output. */
async function untilShown() {
  for (;;) {
    const { lines } = await tmpm.capture({ session: "loud" });
    if (lines.some((line) => line.endsWith("done"))) return;
    await pause(20);
  }
}

async function echoes() {
  const terminal = openTerminal(transport, { session: "echo" });
  const watch = reader(terminal);
  await watch.begun;
  const times = [];
  for (let index = 0; index < 50; index++) {
    const begun = performance.now();
    const shown = watch.heard(`<${index}>`);
    await terminal.type(`<${index}>`);
    await shown;
    times.push(performance.now() - begun);
  }
  terminal.close();
  const spawned = [];
  for (let index = 0; index < 20; index++) {
    const begun = performance.now();
    spawnSync("tmux", ["-S", join(home, "run", "tmux.sock"), "send-keys", "-t", "=tmpm-echo:", "x"]);
    spawned.push(performance.now() - begun);
  }
  figure("delay from typing to display, relative to a spawned send-keys", {
    value: median(times) / median(spawned),
    detail: `${median(times).toFixed(1)} ms`,
  });
}

function reader(terminal) {
  let tail = "";
  let wanted = null;
  let begin;
  const begun = new Promise((resolve) => (begin = resolve));
  void (async () => {
    for await (const event of terminal) {
      begin();
      if (event.kind !== "output") continue;
      tail = (tail + Buffer.from(event.bytes).toString("latin1")).slice(-200);
      if (wanted !== null && tail.includes(wanted.text)) {
        tail = "";
        wanted.done();
      }
    }
  })();
  return { begun, heard: (text) => new Promise((done) => (wanted = { text, done })) };
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
