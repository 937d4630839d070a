import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { atEnd, interruption } from "../../../scripts/bench/benchmark.mjs";
import { median, timed } from "../../../scripts/bench/measure.mjs";
import { rounds } from "../../../scripts/bench/rounds.mjs";
import { tmuxDriver } from "../dist/index.js";
import { bareClient } from "./bare-client.mjs";

const run = promisify(execFile);
const ENVIRONMENT = ["PATH", "HOME", "LANG", "TERM", "TMPDIR"];

/** A separate tmux server with a connected driver, and the tmux program on the same socket, until the benchmark ends. */
export async function openFixture() {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-bench-"));
  const socket = join(folder, "s");
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => ENVIRONMENT.includes(name)));
  const driver = tmuxDriver({
    socket: { path: socket },
    stateDir: join(folder, "state"),
    env,
    deadlines: { read: 60_000, mutate: 60_000 },
  });
  const argv = (args) => ["-u", "-S", socket, ...args];
  const tmux = async (...args) => (await run("tmux", argv(args), { env, maxBuffer: 1e9 })).stdout;
  const creations = [];
  const create = (argv = ["sleep", "100000"]) => {
    interruption.throwIfAborted();
    const name = `s${creations.length}`;
    const creation = driver.create({ sessionId: `${name}-bench`, tmuxName: name, cwd: "/", argv, env: {}, columns: 120, rows: 40 });
    creations.push(creation);
    return creation;
  };
  atEnd(async () => {
    await Promise.allSettled(creations);
    const server = await driver.server();
    await driver.close();
    await tmux("kill-server").catch(() => undefined);
    if (server.kind === "present") await until(async () => !alive(server.value.pid));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const panes = [await create()];
  await until(async () => (await driver.list()).kind === "present" && driver.transport === "control");
  return {
    folder,
    driver,
    tmux,
    create,
    panes,
    socket,
    server: panes[0].identity.server_pid,
    /** Creates sessions until there are this many. */
    async grow(to) {
      while (panes.length < to) panes.push(...(await Promise.all(Array.from({ length: Math.min(20, to - panes.length) }, () => create()))));
    },
    bare: (where = { session: "=s0:" }) => bareClient({ socket, env }, where),
    feed: (input, ...args) => feed(argv(args), { env, input }),
  };
}

/** A slow machine runs fewer rounds. */
const ROUND_MS = 300;

/** The milliseconds of two tasks, alternating, so that both run under the same conditions. */
export async function byTurns(most, tasks) {
  const times = tasks.map(() => []);
  for (const round of rounds(most, { withinMs: most * ROUND_MS })) {
    for (const [index, task] of tasks.entries()) {
      const ms = await timed(task);
      if (round > 0) times[index].push(ms);
    }
  }
  return times;
}

/** Number of consecutive calls in one measurement of sub-millisecond tasks: right after a spawn, the first call differs from the others. */
const ROW = 10;

/** Consecutive calls, measured alternately; `each` computes the time of one call from the times. */
export function inARow(task) {
  return {
    run: async () => {
      for (let call = 0; call < ROW; call++) await task();
    },
    each: (times) => times.map((ms) => ms / ROW),
  };
}

/** The median, over the rounds, of the second's time minus the first's. */
export function speedup(fast, slow) {
  return median(slow.map((ms, index) => ms / fast[index]));
}

export async function until(condition, everyMs = 5) {
  const deadline = performance.now() + 60_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error("what the benchmark waits for did not happen");
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Runs all tasks, with the given concurrency. */
export async function pooled(width, tasks) {
  const left = [...tasks];
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let task = left.shift(); task !== undefined; task = left.shift()) await task();
    }),
  );
}

/** CPU milliseconds so far of the server's only thread, and of this process and its ended children. */
export function cpuOf(server) {
  const { user, system } = process.cpuUsage();
  const self = readFileSync("/proc/self/stat", "utf8");
  const children = self.slice(self.lastIndexOf(")") + 2).split(" ");
  return {
    server: Number(readFileSync(`/proc/${server}/schedstat`, "utf8").split(" ")[0]) / 1e6,
    own: (user + system) / 1000,
    children: (Number(children[13]) + Number(children[14])) * 10,
  };
}

/** Total CPU milliseconds of a task. */
export async function cpuTime(server, task) {
  const before = cpuOf(server);
  await task();
  const after = cpuOf(server);
  return after.server - before.server + (after.own - before.own) + (after.children - before.children);
}

/** Resident memory in MB. */
export function residentMb(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

function feed(args, { env, input }) {
  return new Promise((resolve, reject) => {
    const child = spawn("tmux", args, { env, stdio: ["pipe", "ignore", "ignore"] });
    child.once("error", reject);
    child.once("close", resolve);
    child.stdin.end(input);
  });
}

function alive(pid) {
  try {
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
