import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentAdapter, type AgentProcess, agents, command, type Reading, shell } from "@tmpm/agents";
import type { EventBody, KeptDecisions, PullRequestWatch, SessionMessages } from "@tmpm/core";
import type { SessionStore } from "@tmpm/store";
import {
  type MemorySends,
  type MemoryStore,
  type MemoryTurns,
  memoryDocuments,
  memorySends,
  memoryStore,
  memoryTurns,
} from "@tmpm/store/memory";
import { tmuxHost } from "@tmpm/tmux-driver";
import { type FakeProgram, type FakeTmux, fakeTmux } from "@tmpm/tmux-driver/fake";
import { uploadFolder, workspaces } from "@tmpm/workspace";
import { newsId, type Ports, type Settings, type Step, type Supervisor, supervisor } from "../src/index.js";
import { composerProgram } from "./composer-program.js";

export interface Fixture {
  readonly tmux: FakeTmux;
  readonly store: MemoryStore;
  readonly sends: MemorySends;
  readonly turnJournal: MemoryTurns;
  readonly sessions: Supervisor;
  readonly events: EventBody[];
  readonly faults: { readonly doing: string; readonly error: unknown }[];
  /** Throws when the step is reached, as a crash would end the operation there; null ends that. */
  crashAt(step: Step | null): void;
  /** Called at every step; an error that it throws ends the operation there. */
  onStep(listener: ((step: Step) => void) | null): void;
  /** Another supervisor over the same records and the same tmux, as after a restart of the daemon. */
  restarted(): Supervisor;
  readonly dir: string;
}

export const CRASH = new Error("crash");

/** A supervisor over the fake tmux, the memory store and virtual time. */
export function fixture(
  options: {
    readonly programs?: Readonly<Record<string, FakeProgram>>;
    readonly adapters?: readonly AgentAdapter[];
    /** Changes the supervisor's view of the driver; tmux itself and the observer stay unchanged. */
    readonly lens?: (driver: FakeTmux["driver"]) => FakeTmux["driver"];
    readonly settings?: Partial<Settings>;
    /** A tmux shared with another fixture, and this fixture's tag for its own panes. */
    readonly tmux?: FakeTmux;
    readonly home?: string;
    /** Other tmux servers by socket; default none. */
    readonly foreign?: (socket: string) => FakeTmux["driver"];
    /** The agents that run outside tmux. */
    readonly processes?: readonly AgentProcess[];
    /** Replaces the memory store. */
    readonly store?: SessionStore;
    /** Replaces any other port. */
    readonly ports?: Partial<Ports>;
  } = {},
): Fixture {
  const tmux = options.tmux ?? fakeTmux({ home: "fixture", programs: { "composer-agent": composerProgram({}), ...options.programs } });
  const store = memoryStore();
  const sends = memorySends({ clock: tmux.now });
  const turnJournal = memoryTurns();
  const events: EventBody[] = [];
  const faults: Fixture["faults"] = [];
  let crashing: Step | null = null;
  let stepped: ((step: Step) => void) | null = null;
  let ids = options.home === undefined ? 0 : 1_000;
  const driver = options.home === undefined ? tmux.driver : tmux.driverOf(options.home);
  const registry = agents(options.adapters ?? [shell, command, composer]);
  const decisions = memoryDocuments<KeptDecisions>();
  const messages = memoryDocuments<SessionMessages>();
  const pullRequests = memoryDocuments<PullRequestWatch>();
  const open = () =>
    supervisor({
      hosts: [tmuxHost({ driver: options.lens?.(driver) ?? driver, observer: driver })],
      agentProcesses: async () => options.processes ?? [],
      foreign: (socket) => tmuxHost({ driver: options.foreign?.(socket) ?? fakeTmux({ socket: "/fake/other.sock" }).driver }),
      store: options.store ?? store,
      sends,
      turnJournal,
      thoughtStore: memoryDocuments(),
      usageStore: memoryDocuments(),
      decisionStore: decisions,
      projectStore: memoryDocuments(),
      consentStore: memoryDocuments(),
      launchEnvStore: memoryDocuments(),
      uploads: uploadFolder(),
      uploadStore: memoryDocuments(),
      commentStore: memoryDocuments(),
      pullRequestStore: pullRequests,
      newsWritten: async () => new Set(events.flatMap((event) => (event.type === "pull_request_news" ? [newsId(event)] : []))),
      messageStore: messages,
      seed: async () => undefined,
      workspaces: workspaces({ home: join(tmpdir(), "tmpm-has-no-workspaces") }),
      agent: registry.find,
      agentList: registry.list,
      describeDirectory: async (path) =>
        path.startsWith("/missing")
          ? { kind: "missing" }
          : { kind: "directory", realPath: path, git: null, gitReason: "not a git repository" },
      clock: {
        now: tmux.now,
        async sleep(ms) {
          await new Promise(setImmediate);
          tmux.advance(ms);
        },
      },
      // Time is virtual here: the deadline of a real alarm is never reached.
      alarm: () => ({ cancel: () => undefined }),
      newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
      emit: (event) => events.push(event),
      report: (fault) => faults.push(fault),
      reached: (step) => {
        stepped?.(step);
        if (step === crashing) throw CRASH;
      },
      ...options.ports,
      settings: {
        sessionEnv: { PATH: process.env.PATH ?? "", SHELL: "/bin/sh" },
        homeDir: "/home/me",
        homeTag: options.home ?? "fixture",
        ...options.settings,
      },
    });
  return {
    tmux,
    store,
    sends,
    turnJournal,
    sessions: open(),
    events,
    faults,
    crashAt: (step) => {
      crashing = step;
    },
    onStep: (listener) => {
      stepped = listener;
    },
    restarted: open,
    dir: tmpdir(),
  };
}

/** The adapter of the agent with its own input line. */
export const composer: AgentAdapter = {
  id: "composer",
  title: "Composer",
  limits: { promptInArgv: 0, queuesWhileWorking: false, alters: null },
  quit: null,
  detect: async () => ({ installed: true, path: "/bin/composer-agent", version: null }),
  launch: async ({ conversationId, newId }) => ({
    argv: ["composer-agent"],
    env: {},
    conversationId: conversationId ?? newId(),
    carriesPrompt: false,
  }),
  read: ({ lines, dead }): Reading => {
    const last = lines.filter((line) => line.trim() !== "").at(-1) ?? "";
    const base = { source: "screen", confidence: 1, hint: null, draft: null, decision: null } as const;
    if (dead) return { ...base, state: "exited", evidence: ["dead"] };
    if (last.startsWith(">")) return { ...base, state: "idle", evidence: ["its input line"], draft: last.slice(2) };
    if (last === "dialog") return { ...base, state: "blocked", evidence: ["a dialog"], hint: "answer it" };
    return last === "working"
      ? { ...base, state: "working", evidence: ["it says so"] }
      : { ...base, state: "starting", evidence: ["nothing yet"] };
  },
  arrived: ({ now, text }) => (lastLine(now.lines).endsWith(text) ? "its input line shows the text" : null),
  submitted: ({ now }) => (lastLine(now.lines) === "working" ? "it works" : null),
  interrupt: null,
  approve: () => null,
  deny: () => null,
  seed: null,
  hooks: null,
};

function lastLine(lines: readonly string[]): string {
  return lines.filter((line) => line.trim() !== "").at(-1) ?? "";
}
