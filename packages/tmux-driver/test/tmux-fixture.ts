import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { processTable, processTree, signalProcess } from "@tmpm/processes";
import { onTestFinished } from "vitest";
import { eventually } from "../src/contract/expect.js";
import type { ContractFixture } from "../src/contract/index.js";
import { type OneShotOptions, oneShotDriver } from "../src/index.js";
import { TMUX } from "./tested-tmux.js";

const run = promisify(execFile);

/** For tests without deadlines: longer than anything takes on a busy machine. */
export const PATIENT = { read: 15_000, mutate: 20_000 };
const table = processTable();

export interface TmuxFixture extends ContractFixture {
  readonly folder: string;
  readonly socketPath: string;
  /** The tmux program itself, on the same socket. */
  tmux(...args: readonly string[]): Promise<string>;
  /** Another driver on the same socket and folder. */
  another(options?: Partial<OneShotOptions>): ContractFixture["driver"];
}

/** The contract's fixture around a real tmux on a separate socket; open resources are closed with the test. */
export async function openTmux(options: Partial<OneShotOptions> = {}, make = oneShotDriver): Promise<TmuxFixture> {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-"));
  const socketPath = join(folder, "s");
  const cwd = join(folder, "a #{pid}");
  mkdirSync(cwd);
  const another = (more: Partial<OneShotOptions> = {}) =>
    make({
      ...{ tmux: TMUX, socket: { path: socketPath }, stateDir: join(folder, "state") },
      ...{ env: process.env, pollMs: 100, deadlines: PATIENT },
      ...options,
      ...more,
    });
  const driver = another();
  const tmux = async (...args: readonly string[]) => (await run(TMUX, ["-u", "-S", socketPath, ...args])).stdout;
  const endServer = async () => endNow(await serversOn(socketPath));
  const signalServer = async (signal: "SIGSTOP" | "SIGCONT") => {
    for (const pid of await serversOn(socketPath)) signalProcess(pid, signal);
  };
  const impatient = another({ deadlines: { read: 300, mutate: 300 } });
  const end = async () => {
    await Promise.all([driver.close(), impatient.close()]);
    await endEverything(socketPath);
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  let ending: Promise<void> | undefined;
  const close = () => {
    ending ??= end();
    return ending;
  };
  onTestFinished(close);
  return {
    driver,
    impatient,
    unique: randomUUID().slice(0, 8),
    folder,
    socketPath,
    tmux,
    another,
    programs: programsIn(folder),
    cwd,
    missingDirectory: join(folder, "missing"),
    received: async (id) => readOrEmpty(join(folder, `${id}.received`)),
    running: async ({ identity, pid, sessionId }) =>
      (await processTree(table, { serverPid: identity.server_pid, rootPid: pid, sessionId: sessionId ?? "", known: [] })).length,
    setMode: async (pane, inMode) =>
      void (await tmux(...(inMode ? ["copy-mode"] : ["send-keys", "-X"]), "-t", pane.identity.pane_id, ...(inMode ? [] : ["cancel"]))),
    rename: async (pane, tmuxName) => void (await tmux("rename-session", "-t", pane.identity.pane_id, tmuxName)),
    endServer,
    stopServer: () => signalServer("SIGSTOP"),
    continueServer: () => signalServer("SIGCONT"),
    openForeign: async (name) => void (await tmux("new-session", "-d", "-s", name, "sleep 1000")),
    close,
  };
}

/** Shell programs: they start ten times faster than Node. */
function programsIn(folder: string): ContractFixture["programs"] {
  const script = (text: string, ...args: readonly string[]) => ["/bin/sh", "-c", text, "sh", ...args] as const;
  return {
    recorder: ({ framed }) =>
      script(`stty raw -echo; printf '${framed ? "\\033[?2004h" : ""}ready'; exec cat > "$1/$TMPM_SESSION_ID.received"`, folder),
    exit: ({ status, output }) => script('printf "%s\\n" "$2"; sleep 0.2; exit "$1"', String(status), output),
    lines: (count) => script('i=1; while [ $i -le "$1" ]; do echo "line $i"; i=$((i+1)); done; exec sleep 1000', String(count)),
    report: (words) => script('for word in "$@" "$(pwd)" "$CONTRACT_VALUE"; do printf "<%s>\\n" "$word"; done; exec sleep 1000', ...words),
    lineReader: () => script("echo ready; exec cat"),
    stubborn: () => script("trap '' HUP; sleep 1000 & echo ready; while :; do sleep 1000; done"),
  };
}

/** Ends the server, even if it is stopped, and the processes in its panes: those that ignore SIGHUP would outlive it. */
async function endEverything(socketPath: string): Promise<void> {
  const servers = await serversOn(socketPath);
  if (servers.length === 0) return;
  const all = await table.all();
  const sessions = new Set(all.filter(({ parent }) => servers.includes(parent)).map(({ pid }) => pid));
  await endNow([...servers, ...all.filter(({ pid, session }) => sessions.has(pid) || sessions.has(session)).map(({ pid }) => pid)]);
}

async function serversOn(socketPath: string): Promise<number[]> {
  const all = await table.all();
  // A process whose parent ended becomes a child of the first process, or of the user's own systemd.
  const adopters = new Set([1, ...all.filter(({ command }) => command === "systemd").map(({ pid }) => pid)]);
  const servers = all.filter(({ command, parent, zombie }) => command.startsWith("tmux") && adopters.has(parent) && !zombie);
  const words = await Promise.all(servers.map(({ pid }) => argumentsOf(pid)));
  return servers.filter((_, index) => words[index]?.includes(socketPath)).map(({ pid }) => pid);
}

/** A server keeps the arguments of the client that started it. Empty for a process that is gone. */
async function argumentsOf(pid: number): Promise<readonly string[]> {
  if (process.platform === "linux") return readOrEmpty(`/proc/${pid}/cmdline`).split("\0");
  const { stdout } = await run("ps", ["-p", String(pid), "-ww", "-o", "args="]).catch(() => ({ stdout: "" }));
  return stdout.trim().split(/\s+/);
}

async function endNow(pids: readonly number[]): Promise<void> {
  const there = await table.some(pids);
  for (const pid of there.keys()) signalProcess(pid, "SIGKILL");
  await eventually(
    () => table.some(pids),
    (found) => [...found.values()].every(({ zombie }) => zombie),
  );
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
