// Idle cost of the dashboard, and its delay in showing events. Full counts (200 sessions, a minute) with TMPM_TEST_SCALE=10.
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { client } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import pty from "node-pty";
import { atEnd, benchmark } from "../../../scripts/bench/benchmark.mjs";
import { median, timed } from "../../../scripts/bench/measure.mjs";

const run = promisify(execFile);
const SCALE = Number(process.env.TMPM_TEST_SCALE ?? 1);
const SESSIONS = 20 * SCALE;
const IDLE_MS = 4_000 * SCALE;
const ROUNDS = 10 * SCALE;
const TICK_MS = 10;
const program = resolve(import.meta.dirname, "../../../tmpm");
const home = mkdtempSync(join(tmpdir(), "tmpm-bench-"));
const env = { ...process.env, TMPM_HOME: join(home, "state"), LANG: "C.UTF-8", TERM: "xterm-256color" };
const socket = join(env.TMPM_HOME, "run", "tmux.sock");

/** Processor time used by a process, in milliseconds. */
function used(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

await benchmark(async () => {
  atEnd(async () => {
    await run(program, ["daemon", "stop"], { env }).catch(() => undefined);
    await run("tmux", ["-S", socket, "kill-server"]).catch(() => undefined);
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  execFileSync(program, ["daemon", "start"], { env });
  const asks = client({ transport: localTransport({ socket: join(env.TMPM_HOME, "run", "tmpm.sock") }) });
  for (let at = 0; at < SESSIONS; at++) await asks.create({ agent: "command", name: `s${at}`, cwd: home, argv: ["sleep", "100000"] });
  const top = pty.spawn(program, ["top"], { cols: 220, rows: 60, cwd: home, env });
  atEnd(() => top.kill("SIGTERM"));
  let seen = () => undefined;
  let printed = "";
  top.onData((data) => {
    printed = (printed + data).slice(-100_000);
    seen();
  });
  const shows = (text) =>
    new Promise((done) => {
      seen = () => printed.includes(text) && done();
      seen();
    });
  await shows("in all");
  // Ages below a minute are shown in seconds.
  await sleep(Math.min(IDLE_MS, 60_000) + 2_000);
  const before = used(top.pid);
  await sleep(IDLE_MS);
  const idle = (used(top.pid) - before) / IDLE_MS;
  const [shown, asked] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    await asks.set({ session: "s0", task: `round-${round}-` });
    shown.push(await timed(() => shows(`round-${round}-`)));
    asked.push(await timed(() => asks.show({ session: "s0" })));
    await sleep(100);
  }
  console.log(`${SESSIONS} sessions, 220 x 60`);
  console.log(`idle for ${IDLE_MS / 1000} s: ${(idle * 100).toFixed(2)} % of a core`);
  console.log(
    `from an event to the terminal: ${median(shown).toFixed(0)} ms, ${(median(shown) / median(asked)).toFixed(0)} x a request for the session`,
  );
});
