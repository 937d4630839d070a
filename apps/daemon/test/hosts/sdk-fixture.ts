import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agents, command, shell } from "@tmpm/agents";
import type { EventBody, KeptDecisions } from "@tmpm/core";
import { sdkHost } from "@tmpm/sdk-driver";
import { memoryDocuments, memorySends, memoryStore, memoryTurns } from "@tmpm/store/memory";
import { type Step, type Supervisor, supervisor, systemClock } from "@tmpm/supervisor";
import { tmuxHost } from "@tmpm/tmux-driver";
import { fakeTmux } from "@tmpm/tmux-driver/fake";
import { uploadFolder, workspaces } from "@tmpm/workspace";
import { daemonProgram } from "./daemon-program.js";

const AGENT = createRequire(import.meta.url).resolve("@tmpm/sdk-driver/scripted-agent");

/** The scripted agent's reaction to a prompt. */
export function script(does: Readonly<Record<string, unknown>>): string {
  return `agent: ${JSON.stringify(does)}`;
}

export interface SdkFixture {
  /** The supervisor of the running daemon. */
  sessions(): Supervisor;
  readonly events: readonly EventBody[];
  readonly faults: readonly unknown[];
  /** A session of the scripted agent. */
  create(options?: {
    readonly name?: string;
    readonly prompt?: string;
    readonly habits?: Readonly<Record<string, unknown>>;
  }): Promise<void>;
  /** The daemon ends at the step. */
  crashAt(step: Step): void;
  /** Starts the next daemon; the previous one is not closed. */
  next(): Promise<void>;
  state(name?: string): Promise<string>;
  lines(name?: string): Promise<readonly string[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const CRASH = new Error("crash");

/** A supervisor with real holders and scripted agents, memory stores and real time. */
export async function sdkFixture(): Promise<SdkFixture> {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-"));
  const entry = await daemonProgram("sdk-holder");
  const kept = {
    store: memoryStore(),
    sends: memorySends({ clock: Date.now }),
    turnJournal: memoryTurns(),
    thoughtStore: memoryDocuments<never>(),
    usageStore: memoryDocuments<never>(),
    decisionStore: memoryDocuments<KeptDecisions>(),
    projectStore: memoryDocuments<never>(),
    consentStore: memoryDocuments<never>(),
    launchEnvStore: memoryDocuments<Readonly<Record<string, string>>>(),
    uploadStore: memoryDocuments<never>(),
    commentStore: memoryDocuments<never>(),
    pullRequestStore: memoryDocuments<never>(),
    newsWritten: async () => new Set<string>(),
    messageStore: memoryDocuments<never>(),
  };
  const events: EventBody[] = [];
  const faults: unknown[] = [];
  const registry = agents([shell, command]);
  let crashing: Step | null = null;
  let ended = false;

  function daemon() {
    const host = sdkHost({ base: join(folder, "h"), entry, env: process.env, home: "fixture", version: "0" });
    const alive = { now: true };
    const sessions = supervisor({
      ...kept,
      hosts: [tmuxHost({ driver: fakeTmux({ home: "fixture" }).driver }), host],
      foreign: () => tmuxHost({ driver: fakeTmux({ socket: "/fake/other.sock" }).driver }),
      agentProcesses: async () => [],
      uploads: uploadFolder(),
      seed: async () => undefined,
      workspaces: workspaces({ home: join(folder, "workspaces") }),
      agent: registry.find,
      agentList: registry.list,
      describeDirectory: async (path) => ({ kind: "directory", realPath: path, git: null, gitReason: "not a git repository" }),
      clock: systemClock,
      newId: randomUUID,
      emit: (event) => events.push(event),
      report: (fault) => alive.now && faults.push(fault),
      reached: (step) => {
        if (!alive.now || step === crashing) {
          alive.now = false;
          throw CRASH;
        }
      },
      settings: {
        sessionEnv: { PATH: process.env.PATH ?? "" },
        homeDir: folder,
        homeTag: "fixture",
        autoResume: false,
        readyMs: 60_000,
        cancelGraceMs: 2_000,
        columns: 100,
        rows: 30,
      },
    });
    sessions.start();
    return { sessions, host, alive };
  }

  let current = daemon();
  const show = (name: string) => current.sessions.show({ session: name });
  return {
    sessions: () => current.sessions,
    events,
    faults,
    async create({ name = "demo", prompt, habits = {} } = {}) {
      const argv = [process.execPath, AGENT, JSON.stringify({ store: join(folder, "said"), ...habits })];
      await current.sessions.create({
        agent: "command",
        control: "Sdk",
        cwd: folder,
        name,
        argv,
        ...(prompt === undefined ? {} : { prompt }),
      });
    },
    crashAt: (step) => {
      crashing = step;
    },
    async next() {
      crashing = null;
      current.alive.now = false;
      await current.host.close();
      const last = current;
      current = daemon();
      await last.sessions.close().catch(() => "it was ended by force");
    },
    state: async (name = "demo") => (await show(name)).activity.state,
    lines: async (name = "demo") => (await current.sessions.capture({ session: name, history: 1_000 })).lines,
    async [Symbol.asyncDispose]() {
      if (ended) return;
      ended = true;
      const left = await current.host.list();
      await current.sessions.close();
      if (left.kind === "present") await Promise.all(left.value.map(({ identity }) => current.host.kill(identity, { graceMs: 200 })));
      await current.host.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
