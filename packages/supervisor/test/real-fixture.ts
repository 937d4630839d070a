import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type AgentAdapter, agents, command, shell } from "@tmpm/agents";
import { type EventBody, type PaneInfo, type SessionRecord, timestampFromMs } from "@tmpm/core";
import { bundledProgram } from "@tmpm/holder/testing";
import type { SessionHost } from "@tmpm/host";
import { ptyDriver } from "@tmpm/pty-driver";
import { sdkHost } from "@tmpm/sdk-driver";
import type { MemoryStore } from "@tmpm/store/memory";
import { tmuxDriver, tmuxHost } from "@tmpm/tmux-driver";
import { type Settings, type Step, type Supervisor, supervisor } from "../src/index.js";
import { memoryPorts } from "./memory-ports.js";
import { scripted } from "./scripted-agent.js";

const run = promisify(execFile);

export type RealHost = "tmux" | "pty" | "sdk";

/** A daemon's supervisor over a real host, memory stores and real time; the daemon can be killed. */
export interface RealFixture {
  readonly folder: string;
  /** The supervisor of the current daemon. */
  readonly sessions: Supervisor;
  readonly store: MemoryStore;
  readonly events: readonly EventBody[];
  readonly faults: readonly unknown[];
  /** Each in its own folder. */
  newFolder(): Promise<string>;
  panes(): Promise<readonly PaneInfo[]>;
  /** Kills the daemon when it reaches the step; resolves then. */
  killedAt(step: Step): Promise<void>;
  /** Kills the daemon, if it still runs, and starts the next one. */
  next(): Supervisor;
  /** Kills the session's terminal from outside, with its processes. */
  takeAway(session: string): Promise<void>;
  /** As an attached user would; a terminal that cannot be scrolled stays unchanged. */
  scroll(session: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A newly launched agent is awaited for a long time: by the machine's clock, this one was launched ten minutes ago. */
export async function launchedLongAgo({ store }: Pick<RealFixture, "store">, id: SessionRecord["id"]): Promise<void> {
  await store.update(id, (current) => ({ ...current, launched_at: timestampFromMs(Date.now() - 600_000) }));
}

export interface RealFixtureOptions {
  readonly host?: RealHost;
  readonly settings?: Partial<Settings>;
  readonly adapters?: readonly AgentAdapter[];
  /** Whether every daemon also processes events and observes without a call. */
  readonly started?: boolean;
}

export async function realFixture({
  host: kind = "tmux",
  settings = {},
  adapters = [],
  started = false,
}: RealFixtureOptions = {}): Promise<RealFixture> {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-"));
  const outside = await OUTSIDES[kind](folder);
  const { ports, events, faults, store } = memoryPorts(folder);
  const agent = agents([shell, command, scripted, ...adapters]).find;
  let killing: { readonly step: Step; readonly killed: () => void } | null = null;

  function daemon() {
    const life = { over: false };
    const reached = (step: Step) => {
      if (step === killing?.step && !life.over) {
        life.over = true;
        killing.killed();
      }
      return life.over ? NEVER : undefined;
    };
    const sessions = supervisor({
      ...mortalParts(ports, life),
      reached,
      hosts: [mortal(outside.host, life)],
      agent,
      settings: {
        sessionEnv: { PATH: process.env.PATH ?? "", SHELL: "/bin/sh" },
        homeDir: folder,
        homeTag: "fixture",
        columns: 100,
        rows: 30,
        settleMs: 50,
        ...settings,
      },
    });
    if (started) sessions.start();
    return { sessions, life };
  }

  let current = daemon();
  const paneOf = async (session: string) => (await current.sessions.show({ session })).record;
  return {
    folder,
    get sessions() {
      return current.sessions;
    },
    store,
    events,
    faults,
    newFolder: () => mkdtemp(join(folder, "w-")),
    async panes() {
      const answer = await outside.host.list();
      return answer.kind === "present" ? answer.value : [];
    },
    killedAt: (step) =>
      new Promise((killed) => {
        killing = { step, killed };
      }),
    next() {
      killing = null;
      current.life.over = true;
      current = daemon();
      return current.sessions;
    },
    takeAway: async (session) => outside.takeAway(await paneOf(session)),
    scroll: async (session) => outside.scroll(await paneOf(session)),
    async [Symbol.asyncDispose]() {
      await current.sessions.close();
      await outside.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

const NEVER = new Promise<never>(() => undefined);

interface Life {
  over: boolean;
}

/** The same port, which does nothing and does not answer once its daemon is dead. */
function mortal<T extends object>(part: T, life: Life): T {
  return new Proxy(part, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]) => {
        if (life.over) return NEVER;
        const answer: unknown = Reflect.apply(member, target, args);
        return answer instanceof Promise ? answer.then((value: unknown) => (life.over ? NEVER : value)) : answer;
      };
    },
  });
}

function mortalParts(ports: ReturnType<typeof memoryPorts>["ports"], life: Life) {
  const { sleep } = mortal(ports.clock, life);
  return {
    ...ports,
    store: mortal(ports.store, life),
    sends: mortal(ports.sends, life),
    turnJournal: mortal(ports.turnJournal, life),
    decisionStore: mortal(ports.decisionStore, life),
    clock: { now: ports.clock.now, sleep },
    emit: (event: EventBody) => (life.over ? undefined : ports.emit(event)),
    report: (fault: Parameters<typeof ports.report>[0]) => (life.over ? undefined : ports.report(fault)),
  };
}

const OUTSIDES: Readonly<Record<RealHost, (folder: string) => Promise<Outside>>> = {
  tmux: tmuxOutside,
  pty: async (folder) => {
    const entry = await bundledProgram(join(import.meta.dirname, "pty-holder.ts"));
    return heldOutside(ptyDriver({ base: join(folder, "h"), entry, attach: entry, env: process.env, patienceMs: 30_000, home: "fixture" }));
  },
  sdk: async (folder) => {
    const entry = await bundledProgram(join(import.meta.dirname, "sdk-holder.ts"));
    return heldOutside(sdkHost({ base: join(folder, "h"), entry, env: process.env, home: "fixture", version: "0" }));
  },
};

interface Outside {
  readonly host: SessionHost;
  takeAway(record: SessionRecord): Promise<void>;
  scroll(record: SessionRecord): Promise<void>;
  close(): Promise<void>;
}

async function tmuxOutside(folder: string): Promise<Outside> {
  const socket = join(folder, "s");
  const deadlines = { read: 20_000, mutate: 40_000 };
  const own = () => tmuxDriver({ socket: { path: socket }, stateDir: join(folder, "tmux"), env: process.env, home: "fixture", deadlines });
  const [driver, observer] = [own(), own()];
  const tmux = async (...argv: readonly string[]) => void (await run("tmux", ["-u", "-S", socket, ...argv]));
  return {
    host: tmuxHost({ driver, observer }),
    takeAway: ({ tmux_name }) => tmux("kill-session", "-t", `=${tmux_name}`),
    scroll: ({ tmux_name }) => tmux("copy-mode", "-t", `=${tmux_name}:`),
    async close() {
      await Promise.all([driver.close(), observer.close()]);
      await tmux("kill-server").catch(() => "no server runs any more");
    },
  };
}

/** The outside of a host with one holder for each session. */
function heldOutside(host: SessionHost): Outside {
  return {
    host,
    async takeAway({ pane }) {
      if (pane !== null) process.kill(pane.server_pid, "SIGKILL");
    },
    scroll: async () => undefined,
    async close() {
      const answer = await host.list();
      const left = answer.kind === "present" ? answer.value : [];
      await Promise.all(left.map(({ identity }) => host.kill(identity, { graceMs: 0 })));
      await host.close();
    },
  };
}
