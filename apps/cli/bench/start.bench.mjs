// Duration of commands with one session and with a thousand, as ratios to a bare `node -e 0` and to `tmux ls`, all measured in alternation.
import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import pty from "node-pty";
import { atEnd, benchmark, interruption } from "../../../scripts/bench/benchmark.mjs";
import { figure } from "../../../scripts/bench/figures.mjs";
import { median } from "../../../scripts/bench/measure.mjs";
import { rounds } from "../../../scripts/bench/rounds.mjs";

const run = promisify(execFile);
const SCALE = Number(process.env.TMPM_TEST_SCALE ?? 1);
const ROUNDS = Math.ceil(10 * SCALE);
const WITHIN_MS = 10_000 * SCALE;
const MANY = 1_000;
const program = resolve(import.meta.dirname, "../../../tmpm");
const home = mkdtempSync(join(tmpdir(), "tmpm-bench-"));
const env = { ...process.env, TMPM_HOME: join(home, "state"), TERM: "xterm-256color", LANG: "C.UTF-8" };
const socket = join(env.TMPM_HOME, "run", "tmux.sock");
const sleeping = ["--", "sleep", "100000"];

const runs =
  ([file, ...args]) =>
  () =>
    run(file, args, { env, maxBuffer: 2 ** 26, signal: interruption });
const commands = {
  "node -e 0": runs([process.execPath, "-e", "0"]),
  "tmux ls": runs(["tmux", "-S", socket, "ls"]),
  "tmpm ls": runs([program, "ls"]),
  "tmpm ls --json": runs([program, "ls", "--json"]),
  "tmpm show live": runs([program, "show", "live"]),
  "tmpm counts": runs([program, "counts"]),
  "tmpm --help": runs([program, "--help"]),
  "tmpm --version": runs([program, "--version"]),
  "tmpm top, shown": firstFrame,
};

/** Runs until the dashboard shows its sessions. Ending it is not measured. */
function firstFrame() {
  interruption.throwIfAborted();
  return new Promise((shown) => {
    const top = pty.spawn(program, ["top"], { cols: 220, rows: 60, cwd: home, env });
    let printed = "";
    const heard = top.onData((data) => {
      printed += data;
      if (!printed.includes("in all")) return;
      heard.dispose();
      top.onExit(() => shown(at));
      const at = process.hrtime.bigint();
      top.kill("SIGTERM");
    });
  });
}

/** Processor time of all ended children, in milliseconds. */
function childrensTime() {
  const fields = readFileSync("/proc/self/stat", "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** Ratio to the wall time of a bare `node -e 0`. */
const targets = {
  "1 session": { "tmpm ls": 1.2, "tmpm --help": 1.2 },
  "1000 sessions": { "tmpm ls": 1.4 },
};

async function measure(title) {
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, { wall: [], cpu: 0 }]));
  for (const round of rounds(ROUNDS, { withinMs: WITHIN_MS })) {
    for (const [name, command] of Object.entries(commands)) {
      const [started, cpu] = [process.hrtime.bigint(), childrensTime()];
      const ended = await command();
      const at = typeof ended === "bigint" ? ended : process.hrtime.bigint();
      if (round === 0) continue;
      times[name].wall.push(Number(at - started) / 1e6);
      times[name].cpu += childrensTime() - cpu;
    }
  }
  const [node, tmux] = [times["node -e 0"], times["tmux ls"]];
  console.log(`${title}: ${node.wall.length} rounds, medians of the ratios of each round, and processor time of the command in all rounds`);
  for (const [name, { wall, cpu }] of Object.entries(times)) {
    const ratio = (to) => median(wall.map((value, index) => value / to.wall[index])).toFixed(2);
    const processor = (cpu / node.cpu).toFixed(2);
    figure(`${name} with ${title}, relative to node -e 0`, {
      value: Number(ratio(node)),
      most: targets[title]?.[name],
      detail: `processor ${processor}x; ${ratio(tmux)}x tmux ls`,
    });
  }
  return times;
}

/** Copies of the stopped session's record, in the requested number. */
function multiply(count) {
  const folder = join(env.TMPM_HOME, "sessions", "default");
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  const records = files.map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
  const stopped = records.find(({ name }) => name === "stopped");
  for (let at = 0; at < count; at++) {
    const copy = { ...stopped, id: randomUUID(), name: `stopped-${at}`, tmux_name: `tmpm-stopped-${at}` };
    writeFileSync(join(folder, `${copy.id}.json`), JSON.stringify(copy, null, 2), { mode: 0o600 });
  }
}

await benchmark(async () => {
  atEnd(async () => {
    await run(program, ["rm", "live"], { env }).catch(() => undefined);
    await run(program, ["daemon", "stop"], { env }).catch(() => undefined);
    await run("tmux", ["-S", socket, "kill-server"]).catch(() => undefined);
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  execFileSync(program, ["new", "--name", "live", "--cwd", home, ...sleeping], { env });
  const few = await measure("1 session");
  execFileSync(program, ["new", "--name", "stopped", "--cwd", home, ...sleeping], { env });
  execFileSync(program, ["stop", "stopped"], { env, stdio: "ignore" });
  execFileSync(program, ["daemon", "stop"], { env });
  multiply(MANY);
  execFileSync(program, ["daemon", "start"], { env });
  const many = await measure(`${MANY} sessions`);
  for (const name of ["tmpm ls", "tmpm ls --json", "tmpm top, shown"]) {
    const nodes = (times) => median(times[name].wall) / median(times["node -e 0"].wall);
    console.log(`${name} with ${MANY} sessions: ${(nodes(many) / nodes(few)).toFixed(2)} x that of one`);
  }
});
