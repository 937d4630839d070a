import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { agents, command, shell } from "@tmpm/agents";
import type { EventBody } from "@tmpm/core";
import { memoryDocuments, memorySends, memoryStore, memoryTurns } from "@tmpm/store/memory";
import { oneShotDriver, type TmuxDriver, tmuxDriver, tmuxHost } from "@tmpm/tmux-driver";
import { uploadFolder, workspaces } from "@tmpm/workspace";
import { type Settings, type Step, supervisor, systemClock } from "../src/index.js";
import { job, type ServerBed } from "./bed.js";

const run = promisify(execFile);

export interface TmuxBed extends ServerBed {
  tmux(...args: readonly string[]): Promise<string>;
  /** Told of every event at once. */
  onEvent(listener: (event: EventBody) => void): void;
}

/** A supervisor over a real tmux on a socket of its own, and a second tmux server that is somebody else's. */
export async function tmuxBed(settings: Partial<Settings> = {}): Promise<TmuxBed> {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-"));
  const cwd = join(folder, "work");
  mkdirSync(cwd);
  const sockets = { own: join(folder, "s"), foreign: join(folder, "f") };
  const drivers: TmuxDriver[] = [];
  const keep = (driver: TmuxDriver) => {
    drivers.push(driver);
    return driver;
  };
  const common = { stateDir: join(folder, "state"), env: process.env, pollMs: 500 };
  const driverOf = (home: string) => keep(tmuxDriver({ ...common, home, socket: { path: sockets.own } }));
  const driver = driverOf("a");
  const observer = keep(oneShotDriver({ ...common, home: "a", socket: { path: sockets.own } }));
  const foreign = keep(oneShotDriver({ ...common, home: "a", socket: { path: sockets.foreign } }));
  const nobody = keep(oneShotDriver({ ...common, home: "a", socket: { path: join(folder, "n") } }));
  const events: EventBody[] = [];
  let stepped: ((step: Step) => void) | null = null;
  const faults: unknown[] = [];
  const listeners = new Set<(event: EventBody) => void>();
  const open = (own: { driver: TmuxDriver; store: ReturnType<typeof memoryStore>; home: string }) =>
    supervisor({
      hosts: [tmuxHost({ driver: own.driver, observer })],
      foreign: (socket) => tmuxHost({ driver: socket === sockets.foreign ? foreign : nobody }),
      agentProcesses: async () => [],
      store: own.store,
      sends: memorySends({ clock: Date.now }),
      turnJournal: memoryTurns(),
      thoughtStore: memoryDocuments(),
      decisionStore: memoryDocuments(),
      projectStore: memoryDocuments(),
      consentStore: memoryDocuments(),
      launchEnvStore: memoryDocuments(),
      uploads: uploadFolder(),
      uploadStore: memoryDocuments(),
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
  const serverPid = async () => Number(await tmux("display-message", "-p", "#{pid}"));
  let lastPid = 0;
  const rememberPid = async () => {
    lastPid = await serverPid().catch(() => lastPid);
    return lastPid;
  };
  const endServer = async () => {
    const pid = await rememberPid();
    if (pid > 0) process.kill(pid, "SIGKILL");
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
    end: async (record, status) => {
      if (record.pane !== null) await tmux("send-keys", "-t", record.pane.pane_id, String(status), "Enter");
    },
    killServer: endServer,
    async restartServer() {
      await endServer();
      await start(tmux)("somebody");
    },
    async stopServer() {
      process.kill(await rememberPid(), "SIGSTOP");
    },
    async continueServer() {
      process.kill(lastPid, "SIGCONT");
    },
    async dispose() {
      if (lastPid > 0) continueQuietly(lastPid);
      await Promise.all(supervisors.map((one) => one.close()));
      await Promise.all(drivers.map((one) => one.close()));
      for (const socket of Object.values(sockets)) await tmuxAt(socket)("kill-server").catch(() => "no server ran");
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function continueQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGCONT");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function expectGone(pid: number): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (Date.now() < deadline) {
    const stat = await run("ps", ["-o", "stat=", "-p", String(pid)]).then(
      ({ stdout }) => stdout.trim(),
      () => "",
    );
    if (stat === "" || stat.startsWith("Z")) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`process ${pid} does not end`);
}
