import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ProcessTable, processTable, processTree } from "@tmpm/processes";
import { afterEach } from "vitest";
import { eventually } from "../src/contract/expect.js";
import type { ContractHarness } from "../src/contract/index.js";
import { type OneShotOptions, oneShotDriver } from "../src/index.js";
import { TMUX } from "./tested-tmux.js";

const run = promisify(execFile);

/** What is still open, so that a test that fails leaves nothing behind. */
const open = new Set<() => Promise<void>>();
afterEach(async () => {
  for (const close of open) await close();
});

export interface TmuxHarness extends ContractHarness {
  readonly folder: string;
  readonly socketPath: string;
  /** The tmux program itself, on the same socket. */
  tmux(...args: readonly string[]): Promise<string>;
  /** Another driver on the same socket and folder. */
  another(options?: Partial<OneShotOptions>): ContractHarness["driver"];
}

/** The contract's harness around a real tmux on a socket of its own. */
export async function openTmux(options: Partial<OneShotOptions> = {}, make = oneShotDriver): Promise<TmuxHarness> {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-"));
  const socketPath = join(folder, "s");
  const cwd = join(folder, "a #{pid}");
  mkdirSync(cwd);
  const another = (more: Partial<OneShotOptions> = {}) =>
    make({ tmux: TMUX, socket: { path: socketPath }, stateDir: join(folder, "state"), env: process.env, pollMs: 100, ...options, ...more });
  const driver = another();
  const table = processTable();
  const tmux = async (...args: readonly string[]) => (await run(TMUX, ["-u", "-S", socketPath, ...args])).stdout;
  const endServer = async () => endNow(table, await serversOn(socketPath));
  const signalServer = async (signal: "SIGSTOP" | "SIGCONT") => {
    for (const pid of await serversOn(socketPath)) process.kill(pid, signal);
  };
  const close = async () => {
    await driver.close();
    await endEverything(table, socketPath);
    rmSync(folder, { recursive: true, force: true });
    open.delete(close);
  };
  open.add(close);
  return {
    driver,
    impatient: another({ deadlines: { read: 300, mutate: 300 } }),
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

/** Programs of the shell alone: they start ten times faster than Node. */
function programsIn(folder: string): ContractHarness["programs"] {
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

/** Ends the server, also a stopped one, and whatever runs in its panes: what ignores SIGHUP would outlive it. */
async function endEverything(table: ProcessTable, socketPath: string): Promise<void> {
  const servers = await serversOn(socketPath);
  if (servers.length === 0) return;
  const all = await table.all();
  const sessions = new Set(all.filter(({ parent }) => servers.includes(parent)).map(({ pid }) => pid));
  await endNow(table, [...servers, ...all.filter(({ pid, session }) => sessions.has(pid) || sessions.has(session)).map(({ pid }) => pid)]);
}

/** A server keeps the arguments of the client that started it. */
async function serversOn(socketPath: string): Promise<number[]> {
  const { stdout } = await run("ps", ["-A", "-ww", "-o", "pid=,ppid=,args="]);
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  // Whoever lets go of its parent becomes a child of the first process, or of the user's own systemd.
  const adopters = new Set(["1", ...rows.filter(([, , program]) => program?.endsWith("/systemd")).map(([pid]) => pid)]);
  return rows.filter((words) => adopters.has(words[1]) && words.includes(socketPath)).map(([pid]) => Number(pid));
}

async function endNow(table: ProcessTable, pids: readonly number[]): Promise<void> {
  const there = await table.some(pids);
  for (const pid of there.keys()) process.kill(pid, "SIGKILL");
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
