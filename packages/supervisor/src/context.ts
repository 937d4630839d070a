import type { AgentAdapter } from "@tmpm/agents";
import type { EventBody, SessionRecord } from "@tmpm/core";
import type { SessionStore } from "@tmpm/store";
import type { TmuxDriver } from "@tmpm/tmux-driver";
import type { DirectoryFacts } from "@tmpm/workspace";
import type { Bell } from "./bell.js";
import type { Clock } from "./clock.js";
import type { Observations } from "./observations.js";
import type { SessionQueue } from "./session-queue.js";
import type { Step } from "./steps.js";

/** What the supervisor works with. Everything that touches the world comes in here. */
export interface Ports {
  readonly driver: TmuxDriver;
  readonly store: SessionStore;
  /** @throws AGENT_UNKNOWN */
  readonly agent: (id: string) => AgentAdapter;
  readonly describeDirectory: (path: string) => Promise<DirectoryFacts>;
  readonly clock: Clock;
  /** A fresh version 4 UUID. */
  readonly newId: () => string;
  readonly emit: (event: EventBody) => void;
  /** Faults of background work, which have no caller to tell. */
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  /** Called at every step; tests stop the process here. */
  readonly reached: (step: Step) => Promise<void> | void;
}

export interface Settings {
  /** The environment that sessions inherit on top of tmux's, and that programs are looked up in. */
  readonly sessionEnv: Readonly<Record<string, string>>;
  readonly homeDir: string;
  readonly columns: number;
  readonly rows: number;
  /** How long a launch is watched for a program that ends at once, in ms. */
  readonly settleMs: number;
  /** How long a send waits for the agent to become ready, in ms. */
  readonly readyMs: number;
  /** How long typed text may take to show, and a pressed Enter to act, in ms. */
  readonly confirmMs: number;
  /** How long a program is given to end by itself, in ms. */
  readonly graceMs: number;
  /** After this long without a look, a belief about a session is no longer shown as one, in ms. */
  readonly beliefMs: number;
  /** How often all sessions are looked at when nothing happens, and while something does, in ms. */
  readonly sweepMs: { readonly quiet: number; readonly busy: number };
}

export interface Context extends Ports {
  readonly settings: Settings;
  readonly queue: SessionQueue;
  readonly observations: Observations;
  readonly bell: Bell;
  /** Serialises the choice of names. */
  readonly naming: SessionQueue;
}

export const DEFAULT_SETTINGS: Omit<Settings, "sessionEnv" | "homeDir"> = {
  columns: 200,
  rows: 50,
  settleMs: 400,
  readyMs: 10_000,
  confirmMs: 5_000,
  graceMs: 3_000,
  beliefMs: 30_000,
  sweepMs: { quiet: 5_000, busy: 1_000 },
};

export type RecordChange = (current: SessionRecord) => SessionRecord;
