// Processor time of `tmpm ls` over 20 daemons with 50 sessions each, all processes of all machines together, as a ratio to one daemon with 1,000 sessions; with one
// node that hangs, the time that it adds. The links are `tmpm node --stdio` without the encryption of ssh.
import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { atEnd, benchmark, interruption } from "../../../scripts/bench/benchmark.mjs";
import { figure } from "../../../scripts/bench/figures.mjs";
import { median } from "../../../scripts/bench/measure.mjs";
import { rounds } from "../../../scripts/bench/rounds.mjs";

const run = promisify(execFile);
const SCALE = Number(process.env.TMPM_TEST_SCALE ?? 1);
const NODES = Math.min(20, Math.ceil(20 * SCALE));
const SESSIONS = 50;
const ROUNDS = Math.ceil(10 * SCALE);
/** Of the rounds of one figure. */
const WITHIN_MS = 20_000;
const program = resolve(import.meta.dirname, "../../../tmpm");
const home = mkdtempSync(join(tmpdir(), "tmpm-bf-"));
const nodes = Array.from({ length: NODES }, (_, at) => `n${at + 1}`);
const bin = join(home, "bin");

/** The environment on a machine, each with a data folder of its own. */
const on = (machine) => ({ ...process.env, PATH: `${bin}:${process.env.PATH}`, TMPM_HOME: join(home, machine), LANG: "C.UTF-8" });
const tmpm = async (machine, ...argv) => (await run(program, argv, { env: on(machine), maxBuffer: 2 ** 26, signal: interruption })).stdout;

/** A stand-in for ssh: runs the command on this machine. It passes on the daemon's environment, which names the daemon's own socket. */
function makeSsh() {
  mkdirSync(bin);
  writeFileSync(join(bin, "ssh"), '#!/bin/sh\nfor last; do :; done\nexec sh -c "exec $last"\n');
  chmodSync(join(bin, "ssh"), 0o755);
}

/** A stopped session, whose record is copied to all machines. */
async function stoppedSession() {
  await tmpm("one", "new", "--name", "stopped", "--cwd", home, "--", "sleep", "100000");
  await tmpm("one", "stop", "stopped");
  await tmpm("one", "daemon", "stop");
  const folder = join(home, "one", "sessions", "default");
  const [file] = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const record = JSON.parse(readFileSync(join(folder, file), "utf8"));
  rmSync(join(folder, file));
  return record;
}

function fill(machine, { record, count }) {
  const folder = join(home, machine, "sessions", "default");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let at = 0; at < count; at++) {
    const copy = { ...record, id: randomUUID(), name: `stopped-${at}`, tmux_name: `tmpm-stopped-${at}` };
    writeFileSync(join(folder, `${copy.id}.json`), JSON.stringify(copy, null, 2), { mode: 0o600 });
  }
}

/** Processor time, in ms, of the benchmark's ended programs and of all running processes of its machines. */
function processorTime() {
  const own = fields("self");
  const ended = Number(own[13]) + Number(own[14]);
  const running = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && textOf(`/proc/${name}/environ`).includes(`TMPM_HOME=${home}/`),
  );
  return 10 * running.map(fields).reduce((sum, stat) => sum + Number(stat[11] ?? 0) + Number(stat[12] ?? 0), ended);
}

function fields(pid) {
  return textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ");
}

/** Empty for a process that has ended meanwhile, or of another user. */
function textOf(path) {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

async function measured(machine, argv) {
  const [cpu, started] = [processorTime(), performance.now()];
  const stdout = await tmpm(machine, ...argv);
  return { cpu: processorTime() - cpu, wall: performance.now() - started, stdout };
}

async function complete() {
  for (;;) {
    const list = JSON.parse(await tmpm("laptop", "ls", "--json"));
    if (list.complete && list.sessions.length === NODES * SESSIONS) return;
  }
}

await benchmark(async () => {
  atEnd(async () => {
    for (const machine of ["laptop", "one", ...nodes]) await run(program, ["daemon", "stop"], { env: on(machine) }).catch(() => undefined);
    await run("tmux", ["-S", join(home, "one", "run", "tmux.sock"), "kill-server"]).catch(() => undefined);
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  makeSsh();
  const record = await stoppedSession();
  fill("one", { record, count: NODES * SESSIONS });
  for (const node of nodes) {
    fill(node, { record, count: SESSIONS });
    execFileSync(
      program,
      ["nodes", "add", node, "--ssh", node, "--command", `env -u TMPM_SOCKET TMPM_HOME=${join(home, node)} ${program} node --stdio`],
      {
        env: on("laptop"),
        stdio: "ignore",
      },
    );
  }
  await complete();
  await tmpm("one", "ls");

  for (const argv of [["ls"], ["ls", "--json"]]) {
    const taken = { one: [], laptop: [] };
    for (const _ of rounds(ROUNDS, { withinMs: WITHIN_MS }))
      for (const machine of ["one", "laptop"]) taken[machine].push(await measured(machine, argv));
    const sum = (machine, what) => taken[machine].reduce((all, each) => all + each[what], 0);
    const late = argv.length === 1 ? 0 : taken.laptop.filter(({ stdout }) => !JSON.parse(stdout).complete).length;
    figure(`tmpm ${argv.join(" ")} over ${NODES} daemons, processor time relative to one daemon with as many sessions`, {
      value: Number((sum("laptop", "cpu") / sum("one", "cpu")).toFixed(2)),
      most: 3,
      detail: `wall ${(sum("laptop", "wall") / sum("one", "wall")).toFixed(2)}x, median ${Math.round(median(taken.laptop.map(({ wall }) => wall)))} ms; ${late} of ${taken.laptop.length} incomplete`,
    });
  }

  // The link's process at the far end.
  const link = readdirSync("/proc").find(
    (name) =>
      /^\d+$/.test(name) &&
      textOf(`/proc/${name}/environ`).includes(`TMPM_HOME=${home}/n1\0`) &&
      textOf(`/proc/${name}/cmdline`).includes("--stdio"),
  );
  const before = [];
  const hung = [];
  for (const _ of rounds(ROUNDS, { withinMs: WITHIN_MS })) before.push((await measured("laptop", ["ls", "--json"])).wall);
  process.kill(Number(link), "SIGSTOP");
  try {
    for (const _ of rounds(ROUNDS, { withinMs: WITHIN_MS })) hung.push(await measured("laptop", ["ls", "--json"]));
  } finally {
    process.kill(Number(link), "SIGCONT");
  }
  const missing = hung.map(({ stdout }) =>
    JSON.parse(stdout)
      .nodes.filter((node) => !node.complete)
      .map(({ node }) => node)
      .join(),
  );
  figure("time added by one node that hangs, relative to the allowance of 300 ms", {
    value: Number(((median(hung.map(({ wall }) => wall)) - median(before)) / 300).toFixed(2)),
    most: 1.2,
    detail: `missing: ${[...new Set(missing)].join("; ")}`,
  });
});
