// The cost of a PTY in a holder, as ratios to a bare node-pty in this process, measured alternately in one run.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ptyDriver } from "@tmpm/pty-driver";
import { spawn } from "node-pty";
import { atEnd, benchmark, interruption } from "../../../scripts/bench/benchmark.mjs";
import { figure } from "../../../scripts/bench/figures.mjs";
import { median } from "../../../scripts/bench/measure.mjs";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const home = mkdtempSync(join(tmpdir(), "tmpm-bench-"));
const entry = fileURLToPath(import.meta.resolve("@tmpm/pty-driver/holder"));
const attach = fileURLToPath(import.meta.resolve("@tmpm/pty-driver/attach"));
const driver = ptyDriver({ base: join(home, "h"), entry, attach, env: process.env });
const IDLE_S = 3;
const creations = [];
let last = 0;

function create(argv) {
  interruption.throwIfAborted();
  const sessionId = `bench-${++last}`;
  const creation = driver.create({
    sessionId,
    tmuxName: sessionId,
    cwd: "/",
    argv,
    env: { TMPM_SESSION_ID: sessionId },
    columns: 80,
    rows: 24,
  });
  creations.push(creation);
  return creation;
}

const ECHO = ["/bin/sh", "-c", "stty -icanon; echo ready; exec cat >/dev/null"];
const MEGABYTES = Math.ceil(4 * scale);
const TEXT = [
  "/bin/sh",
  "-c",
  `read go; i=0; while [ $i -lt ${MEGABYTES} ]; do cat "$1"; i=$((i+1)); done; printf END; touch "$2"; exec sleep 1000`,
  "sh",
  join(home, "text"),
  join(home, "printed"),
];

/** From a key to its echo, in ms. */
function presser({ press, onOutput }) {
  let arrive = () => undefined;
  onOutput(() => arrive());
  return async () => {
    const arrival = new Promise((resolve) => {
      arrive = resolve;
    });
    const start = performance.now();
    await press();
    await arrival;
    return performance.now() - start;
  };
}

function bare(argv) {
  const [program, ...args] = argv;
  const pty = spawn(program, args, { cols: 80, rows: 24, env: process.env, encoding: null });
  return pty;
}

async function keystrokes() {
  const pane = await create(ECHO);
  while (!(await driver.capture(pane.identity)).lines.includes("ready")) await sleep(10);
  let hear = () => undefined;
  const output = await driver.output(pane.identity, (event) => event.type === "chunk" && hear());
  const pty = bare(ECHO);
  await new Promise((resolve) => {
    let text = "";
    const ready = pty.onData((data) => {
      text += String(data);
      if (!text.includes("ready")) return;
      ready.dispose();
      resolve();
    });
  });
  const held = presser({ press: () => driver.keys(pane.identity, ["a"]), onOutput: (listener) => (hear = listener) });
  const plain = presser({ press: () => pty.write("a"), onOutput: (listener) => pty.onData(listener) });
  const [ours, theirs] = [[], []];
  for (let turn = 0; turn < 200 * scale; turn++) {
    ours.push(await held());
    theirs.push(await plain());
  }
  output.close();
  pty.kill("SIGKILL");
  figure("PTY host: key to echo against a bare PTY", {
    value: median(ours) / median(theirs),
    most: 3,
    detail: `${ms(median(ours))} against ${ms(median(theirs))} ms`,
  });
}

async function throughput() {
  const { writeFileSync } = await import("node:fs");
  const line = `${"The quick brown fox jumps over the lazy dog. ".repeat(2).slice(0, 78)}\r\n`;
  writeFileSync(join(home, "text"), line.repeat(Math.ceil((1024 * 1024) / line.length)));
  const [held, plain, unread] = [[], [], []];
  for (let turn = 0; turn < 3; turn++) {
    held.push(await heldRead(true));
    unread.push(await heldRead(false));
    plain.push(await bareRead());
  }
  const rate = (seconds) => MEGABYTES / median(seconds);
  const detail = (seconds) => `${rate(seconds).toFixed(1)} against ${rate(plain).toFixed(1)} MB/s`;
  figure("PTY host: output to a reader against a bare PTY", { value: rate(held) / rate(plain), detail: detail(held) });
  figure("PTY host: output without a reader against a bare PTY", {
    value: rate(unread) / rate(plain),
    target: 0.7,
    detail: detail(unread),
  });
}

async function heldRead(read) {
  rmSync(join(home, "printed"), { force: true });
  const pane = await create(TEXT);
  let tail = "";
  let over = () => undefined;
  const end = new Promise((resolve) => {
    over = resolve;
  });
  const output = read
    ? await driver.output(pane.identity, (event) => {
        if (event.type !== "chunk") return;
        tail = (tail + Buffer.from(event.bytes).toString("latin1")).slice(-3);
        if (tail === "END") over();
      })
    : null;
  const start = performance.now();
  await driver.keys(pane.identity, ["Enter"]);
  if (output === null) await printedAndRead(pane);
  else await end;
  const seconds = (performance.now() - start) / 1000;
  output?.close();
  await driver.kill(pane.identity, { graceMs: 0 });
  return seconds;
}

/** Unrendered output is part of the cost: the measurement ends with a screen that shows the last line. */
async function printedAndRead({ identity }) {
  while (!existsSync(join(home, "printed"))) await sleep(2);
  // The holder may not have read the last bytes yet.
  while (!(await driver.capture(identity)).lines.some((line) => line.includes("END"))) await sleep(2);
}

async function bareRead() {
  const pty = bare(TEXT);
  await sleep(100);
  const start = performance.now();
  await new Promise((resolve) => {
    let tail = "";
    pty.onData((data) => {
      tail = (tail + String(data)).slice(-3);
      if (tail === "END") resolve();
    });
    pty.write("\r");
  });
  pty.kill("SIGKILL");
  return (performance.now() - start) / 1000;
}

/** Its own memory, in KiB: pages shared by several processes count in proportion. */
function ownMemory(pid) {
  const found = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
  return Number(found?.[1] ?? 0);
}

async function memory() {
  if (process.platform !== "linux") return;
  const many = [];
  for (let made = 0; made < 10; made++) many.push(await create(["sleep", "1000"]));
  await sleep(1500);
  const node = spawn(process.execPath, ["-e", "setInterval(() => 0, 1e6)"], { env: process.env });
  await sleep(1000);
  const holder = median(many.map(({ identity }) => ownMemory(identity.server_pid)));
  const empty = ownMemory(node.pid);
  node.kill("SIGKILL");
  figure("PTY host: memory of an idle holder against an empty node", {
    value: holder / empty,
    detail: `${(holder / 1024).toFixed(1)} against ${(empty / 1024).toFixed(1)} MiB`,
  });
  // A program's work right after its start is not idle time.
  await sleep(2_000);
  const times = cpu(many);
  await sleep(IDLE_S * 1_000);
  const used = cpu(many).map((after, index) => after - times[index]);
  figure("PTY host: CPU of ten idle holders, of a core", {
    value: used.reduce((sum, ticks) => sum + ticks, 0) / IDLE_S,
    unit: " %",
    detail: `over ${IDLE_S} s`,
  });
}

/** In ticks of 10 ms. */
function cpu(many) {
  return many.map(({ identity }) => {
    const fields = readFileSync(`/proc/${identity.server_pid}/stat`, "utf8").split(") ")[1].split(" ");
    return Number(fields[11]) + Number(fields[12]);
  });
}

function ms(value) {
  return value.toFixed(2);
}

await benchmark(async () => {
  atEnd(async () => {
    const made = await Promise.allSettled(creations);
    await Promise.all(made.map(({ value }) => value && driver.kill(value.identity, { graceMs: 0 })));
    await driver.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  await keystrokes();
  await throughput();
  await memory();
});
