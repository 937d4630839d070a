import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { agents, command, shell } from "@tmpm/agents";
import { type EventBody, hasErrno } from "@tmpm/core";
import { memoryDocuments, memorySends, memoryStore, memoryTurns } from "@tmpm/store/memory";
import { oneShotDriver, type TmuxDriver, tmuxDriver, tmuxHost } from "@tmpm/tmux-driver";
import { uploadFolder, workspaces } from "@tmpm/workspace";
import { expect } from "vitest";
import { type Settings, type Step, supervisor, systemClock } from "../src/index.js";
import { job, type ServerHostFixture } from "./host-fixture.js";

const run = promisify(execFile);
/** Waits for a loaded machine, but not for a stopped server. */
const PATIENCE = { usual: { read: 20_000, mutate: 40_000 }, stopped: { read: 700, mutate: 1_000 } } as const;

export interface TmuxFixture extends ServerHostFixture {
  tmux(...args: readonly string[]): Promise<string>;
  /** Called for every event at once. */
  onEvent(listener: (event: EventBody) => void): void;
}

/** A supervisor over a real tmux on a separate socket, and a second, foreign tmux server. */
export async function tmuxFixture(settings: Partial<Settings> = {}): Promise<TmuxFixture> {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-"));
  const cwd = join(folder, "work");
  mkdirSync(cwd);
  const sockets = { own: join(folder, "s"), foreign: join(folder, "f") };
  const drivers: TmuxDriver[] = [];
  const keep = (driver: TmuxDriver) => {
    drivers.push(driver);
    return driver;
  };
  const deadlines: { read: number; mutate: number } = { ...PATIENCE.usual };
  const common = { stateDir: join(folder, "state"), env: process.env, pollMs: 500, deadlines };
  const driverOf = (home: string) => keep(tmuxDriver({ ...common, home, socket: { path: sockets.own } }));
  const driver = driverOf("a");
  const observer = keep(oneShotDriver({ ...common, home: "a", socket: { path: sockets.own } }));
  const foreign = keep(oneShotDriver({ ...common, home: "a", socket: { path: sockets.foreign } }));
  const empty = keep(oneShotDriver({ ...common, home: "a", socket: { path: join(folder, "n") } }));
  const events: EventBody[] = [];
  let stepped: ((step: Step) => void) | null = null;
  const faults: unknown[] = [];
  const listeners = new Set<(event: EventBody) => void>();
  const open = (own: { driver: TmuxDriver; store: ReturnType<typeof memoryStore>; home: string }) =>
    supervisor({
      hosts: [tmuxHost({ driver: own.driver, observer })],
      foreign: (socket) => tmuxHost({ driver: socket === sockets.foreign ? foreign : empty }),
      agentProcesses: async () => [],
      store: own.store,
      sends: memorySends({ clock: Date.now }),
      turnJournal: memoryTurns(),
      thoughtStore: memoryDocuments(),
      usageStore: memoryDocuments(),
      decisionStore: memoryDocuments(),
      projectStore: memoryDocuments(),
      consentStore: memoryDocuments(),
      launchEnvStore: memoryDocuments(),
      uploads: uploadFolder(),
      uploadStore: memoryDocuments(),
      commentStore: memoryDocuments(),
      pullRequestStore: memoryDocuments(),
      newsWritten: async () => new Set(),
      messageStore: memoryDocuments(),
      seed: async () => undefined,
      workspaces: workspaces({ home: folder }),
      agent: agents([shell, command]).find,
      describeDirectory: async (path) =>
        statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
          ? { kind: "directory", realPath: path, git: null, gitReason: "not a git repository" }
          : { kind: "missing" },
      clock: systemClock,
      newId: randomUUID,
      emit: (event) => {
        events.push(event);
        for (const listener of listeners) listener(event);
      },
      report: (fault) => faults.push(fault),
      reached: (step) => stepped?.(step),
      settings: {
        sessionEnv: { PATH: process.env.PATH ?? "", SHELL: "/bin/sh" },
        homeDir: folder,
        foreignSockets: [sockets.foreign],
        settleMs: 50,
        suspicionMs: 200,
        sweepMs: { quiet: 1_000, busy: 500 },
        homeTag: own.home,
        ...settings,
      },
    });
  const store = memoryStore();
  const sessions = open({ driver, store, home: "a" });
  const supervisors = [sessions];
  const tmuxAt =
    (socket: string) =>
    async (...args: readonly string[]) =>
      (await run("tmux", ["-u", "-f", "/dev/null", "-S", socket, ...args])).stdout;
  const tmux = tmuxAt(sockets.own);
  let lastPid = 0;
  const rememberPid = async () => {
    const server = await driver.server();
    if (server.kind === "present") lastPid = server.value.pid;
    return lastPid;
  };
  const endServer = async () => {
    const pid = await rememberPid();
    if (pid > 0) signalIfThere(pid, "SIGKILL");
    lastPid = 0;
    await expectGone(pid);
  };
  const start = (at: typeof tmux) => async (name: string) => void (await at("new-session", "-d", "-s", name, "-c", cwd, "exec sleep 1000"));
  return {
    sessions,
    store,
    events,
    onEvent: (listener) => void listeners.add(listener),
    faults,
    driver,
    job,
    cwd,
    tmux,
    foreign: {
      socket: sockets.foreign,
      open: start(tmuxAt(sockets.foreign)),
      close: async (name) => void (await tmuxAt(sockets.foreign)("kill-session", "-t", `=${name}`)),
    },
    onStep: (listener) => {
      stepped = listener;
    },
    restarted() {
      const again = open({ driver, store, home: "a" });
      supervisors.push(again);
      return again;
    },
    anotherHome() {
      const theirs = memoryStore();
      const another = open({ driver: driverOf("b"), store: theirs, home: "b" });
      supervisors.push(another);
      return { sessions: another, store: theirs };
    },
    open: start(tmux),
    close: async (name) => void (await tmux("kill-session", "-t", `=${name}`)),
    rename: async (name, to) => void (await tmux("rename-session", "-t", `=${name}`, to)),
    end: async ({ pane }, status) => {
      if (pane !== null) await driver.keys(pane, [...String(status), "Enter"]);
    },
    killServer: endServer,
    async restartServer() {
      await endServer();
      await start(tmux)("somebody");
    },
    async stopServer() {
      process.kill(await rememberPid(), "SIGSTOP");
      Object.assign(deadlines, PATIENCE.stopped);
    },
    async continueServer() {
      Object.assign(deadlines, PATIENCE.usual);
      process.kill(lastPid, "SIGCONT");
    },
    async dispose() {
      if (lastPid > 0) signalIfThere(lastPid, "SIGCONT");
      await Promise.all(supervisors.map((one) => one.close()));
      await Promise.all(drivers.map((one) => one.close()));
      for (const socket of Object.values(sockets)) await tmuxAt(socket)("kill-server").catch(() => "no server ran");
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

async function expectGone(pid: number): Promise<void> {
  await expect.poll(() => runs(pid), { message: `process ${pid} has ended` }).toBe(false);
}

/** An ended process that was not collected yet does not run. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!isGone(error)) throw error;
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/^\d+ \(.*\) Z/.test(readFileSync(stat, "utf8"));
}

function isGone(error: unknown): boolean {
  return hasErrno(error, "ESRCH");
}
