// Requests per second and their latency, as ratios to a bare fastify that serialises the same object over the same kind of connection in the same run;
// processor time of a start; and memory per session and viewer.
import { fork, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { client, openTerminal } from "@tmpm/api/client";
import { localTransport } from "@tmpm/api/local";
import { SessionRecord } from "@tmpm/core";
import { directoryStore } from "@tmpm/store";
import autocannon from "autocannon";
import { atEnd, benchmark, ended, interruption } from "../../../scripts/bench/benchmark.mjs";
import { figure } from "../../../scripts/bench/figures.mjs";
import { median } from "../../../scripts/bench/measure.mjs";

const scale = Number(process.env.TMPM_TEST_SCALE ?? 1);
const SECONDS = Math.min(10, Math.ceil(scale));
const STARTS = 3 * scale;
const CONNECTIONS = 10;
const VIEWERS = 20;
const AT = "2026-01-02T03:04:05Z";

const folder = mkdtempSync(join(tmpdir(), "tmpm-bench-"));
let barePort = 0;
const bareSocket = join(folder, "bare.sock");

await benchmark(async () => {
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const bare = fork(join(import.meta.dirname, "bare-server.mjs"), [bareSocket, "0"]);
  atEnd(() => ended(bare));
  [barePort] = await once(bare, "message");
  await starts();
  const memory = [];
  for (const sessions of [10, 100, 1_000]) memory.push([sessions, await measure(sessions)]);
  const [[few, least], , [many, most]] = memory;
  figure("memory of an ended session", { value: (most - least) / (many - few) / 1024, unit: " KiB" });
  figure(`memory of the daemon with ${many} ended sessions`, { value: most / 2 ** 20, unit: " MB", most: 90 });
});

/** Returns the daemon's memory with the given number of sessions, in bytes. */
async function measure(sessions) {
  const home = join(folder, `home-${sessions}`);
  await fill(home, sessions);
  const daemon = await started(home);
  try {
    const list = { path: "/v1/sessions" };
    await compare(`list of ${sessions} sessions`, { daemon, ...list, target: 0.6 });
    const bytes = resident(daemon.pid);
    if (sessions !== 100) return bytes;
    await compare(`list of ${sessions} sessions, TCP`, { daemon, ...list, tcp: true });
    await compare("show", { daemon, path: "/v1/sessions/ended-7", target: 0.4 });
    await compare("show, TCP", { daemon, path: "/v1/sessions/ended-7", tcp: true });
    await compare("health", { daemon, path: "/healthz", target: 0.5 });
    await sends(daemon);
    await viewers(daemon);
    return bytes;
  } finally {
    await daemon.close();
  }
}

/** Records of ended sessions. */
async function fill(home, sessions) {
  const store = directoryStore({ base: join(home, "sessions") });
  const times = { created_at: AT, updated_at: AT, launched_at: AT };
  for (let index = 0; index < sessions; index += 1) {
    const name = `ended-${index}`;
    const named = { id: randomUUID(), name, tmux_name: `tmpm-${name}`, agent: "shell", cwd: folder, workdir: folder };
    await store.create(SessionRecord.parse({ ...named, ...times, state: "stopped", task: "repair the build of the north wing" }));
  }
  await store.close();
}

async function started(home) {
  interruption.throwIfAborted();
  const daemon = spawn(process.execPath, [join(import.meta.dirname, "../dist/main.js")], {
    env: { ...process.env, TMPM_HOME: home, TMPM_LISTEN: "127.0.0.1:0", TMPM_FOREIGN_SOCKETS: "" },
    stdio: "ignore",
  });
  const close = atEnd(async () => {
    await ended(daemon);
    spawnSync("tmux", ["-S", join(home, "run", "tmux.sock"), "kill-server"]);
  });
  const socket = join(home, "run", "tmpm.sock");
  const transport = localTransport({ socket });
  const tmpm = client({ transport });
  const health = await answer(tmpm, daemon);
  const { secret } = await tmpm.createToken({ scope: "operator", name: "bench" });
  return {
    ...{ pid: daemon.pid, socket, transport, tmpm, secret, url: health.listening[0], close },
  };
}

async function answer(tmpm, daemon) {
  for (;;) {
    try {
      return await tmpm.health();
    } catch (error) {
      if (error.code !== "DAEMON_UNREACHABLE" || daemon.exitCode !== null) throw error;
      await sleep(50);
    }
  }
}

async function compare(what, { daemon, path, target, tcp = false }) {
  const headers = tcp ? { authorization: `Bearer ${daemon.secret}` } : {};
  const ours = await load(
    tcp ? { url: `${daemon.url}${path}`, headers } : { url: `http://localhost${path}`, socketPath: daemon.socket, headers },
  );
  await fetch(`http://127.0.0.1:${barePort}/body`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: await bodyOf(daemon, path),
  });
  // The complete body is that of the bare server, for both kinds of requests.
  const bareLoad = await load(
    tcp ? { url: `http://127.0.0.1:${barePort}/object` } : { url: "http://localhost/object", socketPath: bareSocket },
  );
  report(what, { ours, bareLoad, target });
}

async function bodyOf({ url, secret }, path) {
  return (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${secret}` } })).text();
}

async function load(target) {
  const result = await autocannon({ connections: CONNECTIONS, duration: SECONDS, ...target });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} unsuccessful responses, ${result.errors} errors`);
  return result;
}

function report(what, { ours, bareLoad, target }) {
  // The average per second excludes the last, incomplete second.
  const [rate, most] = [ours, bareLoad].map(({ requests, duration }) => requests.total / duration);
  figure(`${what}, requests per second relative to a bare route`, {
    value: rate / most,
    target,
    detail: `${rate.toFixed(0)} of ${most.toFixed(0)}, p50 ${ours.latency.p50} ms, p99 ${ours.latency.p99} ms`,
  });
}

/** Processor time from the start of the program until its first response, as a ratio to Node's own. */
async function starts() {
  const [ours, theirs] = [[], []];
  for (let round = 0; round < STARTS; round += 1) {
    const daemon = await started(join(folder, `home-start-${round}`));
    ours.push(used(daemon.pid));
    await daemon.close();
    const before = childrensTime();
    spawnSync(process.execPath, ["-e", "0"]);
    theirs.push(childrensTime() - before);
  }
  const sum = (times) => times.reduce((all, ms) => all + ms, 0);
  figure("start of the daemon until its first response, CPU time relative to node -e 0", { value: sum(ours) / sum(theirs), most: 2.5 });
}

/** Milliseconds. */
function used(pid) {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Processor time of all ended children, in milliseconds. */
function childrensTime() {
  const fields = statOf("self");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

function statOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
}

/** Each session receives one text after the other. */
async function sends(daemon) {
  const names = ["cat-1", "cat-2", "cat-3", "cat-4"];
  for (const name of names) await daemon.tmpm.create({ agent: "command", cwd: folder, name, argv: ["/bin/cat"] });
  const begun = performance.now();
  const each = 10 * scale;
  const took = [];
  await Promise.all(
    names.map(async (session) => {
      for (let count = 0; count < each; count += 1) {
        const from = performance.now();
        await daemon.tmpm.send({ session, text: "hello" });
        took.push(performance.now() - from);
      }
    }),
  );
  const rate = (names.length * each * 1_000) / (performance.now() - begun);
  figure("confirmed send to a program, median", {
    value: median(took),
    unit: " ms",
    most: 40,
    detail: `${rate.toFixed(0)} per second to ${names.length} sessions`,
  });
}

async function viewers(daemon) {
  const before = resident(daemon.pid);
  const open = [];
  for (let count = 0; count < VIEWERS; count += 1) {
    const terminal = openTerminal(daemon.transport, { session: "cat-1" });
    const events = terminal[Symbol.asyncIterator]();
    await events.next();
    open.push(terminal);
  }
  figure("memory of a viewer", { value: (resident(daemon.pid) - before) / VIEWERS / 1024, unit: " KiB" });
  for (const terminal of open) terminal.close();
}

function resident(pid) {
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
}
