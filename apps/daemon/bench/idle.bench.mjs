// Processor time of a daemon with 100 sessions that nothing asks about: while they wait, and while their agents write transcripts; and how soon a new
// line of a transcript is counted.
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { client } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { atEnd, benchmark, ended, interruption } from "../../../scripts/bench/benchmark.mjs";
import { figure } from "../../../scripts/bench/figures.mjs";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const SESSIONS = 100;
/** A whole number of the intervals at which all sessions are observed. */
const SECONDS = Math.min(60, 10 * Math.ceil(scale));
const LINES = Math.ceil(5 * scale);
const AT_ONCE = 10;
/** An idle session becomes drowsy after 30 s, which is written once. */
const DROWSY_MS = 35_000;
const PROGRAM = join(import.meta.dirname, "../dist/main.js");
/** As the command line starts it. */
const FLAGS = ["--max-semi-space-size=2"];

/** A program with the idle screen of Claude Code, that prints nothing else. */
const RULE = "─".repeat(200);
const QUIET_CLAUDE = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
printf '\\033]2;✳ Idle\\007\\033[2J\\033[H${RULE}\\r\\n❯ \\r\\n${RULE}\\r\\n  ? for shortcuts\\033[2;3H'
exec cat
`;

const folder = mkdtempSync(join(tmpdir(), "tmpm-bench-"));

await benchmark(async () => {
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const daemon = await started();
  const transcripts = await launched(daemon);
  // The sessions have begun, their screens no longer change, and nothing is left to write.
  await settled(daemon);
  const idle = await load(daemon);
  figure(`daemon with ${SESSIONS} idle sessions, of a core`, {
    value: idle.daemon,
    unit: " %",
    most: 0.5,
    detail: `tmux server ${idle.server.toFixed(2)} %`,
  });
  const writing = setInterval(() => {
    for (const transcript of transcripts) grow(transcript);
  }, 1_000);
  atEnd(() => clearInterval(writing));
  await sleep(2_000, undefined, { signal: interruption });
  const busy = await load(daemon);
  figure(`daemon with ${SESSIONS} sessions that write a line a second, of a core`, {
    value: busy.daemon,
    unit: " %",
    most: 0.5,
    detail: `tmux server ${busy.server.toFixed(2)} %`,
  });
  const delays = [];
  for (let line = 0; line < LINES; line += 1) delays.push(await delay(daemon, transcripts[line % transcripts.length]));
  figure(`a new line of a transcript is counted after, most of ${LINES}`, { value: Math.max(...delays) / 1_000, unit: " s", most: 1 });
});

async function started() {
  const home = join(folder, "home");
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const program = join(bin, "claude");
  writeFileSync(program, QUIET_CLAUDE);
  chmodSync(program, 0o755);
  const env = { ...process.env, HOME: folder, PATH: `${bin}:${process.env.PATH}`, TMPM_HOME: home, TMPM_FOREIGN_SOCKETS: "" };
  const daemon = spawn(process.execPath, [...FLAGS, PROGRAM], { env, stdio: "ignore" });
  atEnd(async () => {
    await ended(daemon);
    spawnSync("tmux", ["-S", join(home, "run", "tmux.sock"), "kill-server"]);
  });
  const tmpm = client({ transport: localTransport({ socket: join(home, "run", "tmpm.sock") }) });
  for (;;) {
    try {
      await tmpm.health();
      return { tmpm, pid: daemon.pid, socket: join(home, "run", "tmux.sock") };
    } catch (error) {
      if (error.code !== "DAEMON_UNREACHABLE" || daemon.exitCode !== null) throw error;
      await sleep(50, undefined, { signal: interruption });
    }
  }
}

/** The transcripts of new sessions. */
async function launched({ tmpm }) {
  const projects = join(folder, ".claude", "projects", "-w");
  mkdirSync(projects, { recursive: true });
  const transcripts = [];
  for (let first = 0; first < SESSIONS; first += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, index) => first + index);
    transcripts.push(...(await Promise.all(numbers.map((number) => launch(tmpm, { projects, name: `idle-${number}` })))));
  }
  return transcripts;
}

async function launch(tmpm, { projects, name }) {
  interruption.throwIfAborted();
  const { conversation_id } = await tmpm.create({ agent: "claude", cwd: folder, name });
  const path = join(projects, `${conversation_id}.jsonl`);
  writeFileSync(path, "");
  return { name, conversation_id, path, lines: 0 };
}

async function settled({ tmpm }) {
  for (;;) {
    const { sessions } = await tmpm.list({});
    if (sessions.every(({ activity }) => activity.state === "idle")) return sleep(DROWSY_MS, undefined, { signal: interruption });
    await sleep(500, undefined, { signal: interruption });
  }
}

function grow(transcript) {
  transcript.lines += 1;
  const number = `${transcript.conversation_id}_${transcript.lines}`;
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: `msg_${number}`, model: "claude-opus-5-5", usage, content: [{ type: "text", text: "x".repeat(500) }] };
  const entry = { type: "assistant", sessionId: transcript.conversation_id, requestId: `req_${number}`, message };
  appendFileSync(transcript.path, `${JSON.stringify(entry)}\n`);
}

/** Milliseconds. */
async function delay({ tmpm }, transcript) {
  grow(transcript);
  const from = performance.now();
  const wanted = transcript.lines;
  for (;;) {
    const { groups } = await tmpm.usage({ session: transcript.name });
    const requests = groups.flatMap(({ models }) => models).reduce((sum, model) => sum + model.requests, 0);
    if (requests >= wanted) return performance.now() - from;
    await sleep(20, undefined, { signal: interruption });
  }
}

/** Percent of a core, of the daemon and of its tmux server. */
async function load({ pid, socket }) {
  const server = Number(spawnSync("tmux", ["-S", socket, "display-message", "-p", "#{pid}"], { encoding: "utf8" }).stdout);
  const [begun, from] = [[pid, server].map(used), performance.now()];
  await sleep(SECONDS * 1_000, undefined, { signal: interruption });
  const seconds = (performance.now() - from) / 1_000;
  const [daemon, tmux] = [pid, server].map((each, index) => (used(each) - begun[index]) / seconds / 10);
  return { daemon, server: tmux };
}

/** Processor time of a process, in milliseconds. */
function used(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
