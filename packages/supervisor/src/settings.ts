import type { GrantWish } from "@tmpm/core";

export interface Settings {
  /** The environment that sessions inherit in addition to their host's, also for looking up programs. */
  readonly sessionEnv: Readonly<Record<string, string>>;
  readonly homeDir: string;
  readonly columns: number;
  readonly rows: number;
  /** How long a launch is watched for an immediate end, in ms. */
  readonly settleMs: number;
  /** How long a send waits for the agent to become ready, in ms. */
  readonly readyMs: number;
  /** Maximum number of waiting prompts per session, plus one if any runs. */
  readonly queueDepth: number;
  /** How long a prompt waits for its turn unless requested otherwise, in ms. */
  readonly turnWaitMs: number;
  /** How long an agent may take to stop when its turn is cancelled, in ms. */
  readonly cancelGraceMs: number;
  /** How long typed text may take to show, and Enter to act, in ms. */
  readonly confirmMs: number;
  /** How long a program may take to end by itself, in ms. */
  readonly graceMs: number;
  /** Age of the last look at which a belief is no longer shown, in ms. */
  readonly beliefMs: number;
  /** Foreign tmux servers that are checked by default: socket paths, or names in tmux's own folder. */
  readonly foreignSockets: readonly string[];
  /** Delay before a simultaneous end of many sessions is believed, in ms. */
  readonly suspicionMs: number;
  /** Interval of discovery of other servers and processes, in ms. */
  readonly discoverMs: number;
  /** The hosts' tag of this home for created and adopted sessions; null without one. */
  readonly homeTag: string | null;
  /** Another program also writes the records: its writes are followed, and terminals of its sessions searched. */
  readonly sharedStore: boolean;
  /** Resumes sessions that stopped unexpectedly. */
  readonly autoResume: boolean;
  /** Snapshots a session's work tree at the start and end of each turn, in its repository. */
  readonly turnTrees: boolean;
  /** Of sessions that a user starts without one; null for none. */
  readonly grant: GrantWish | null;
  /** Interval of checks of the agents' own messages, in ms. */
  readonly thoughtMs: number;
  /** Whether a session continues by itself after a usage limit, with which prompt, and how often at most until a user acts. */
  readonly resumeAfterLimit: { readonly on: boolean; readonly tries: number; readonly prompt: string };
  /** Interval of checks of working sessions' usage, in ms. */
  readonly usageMs: number;
  /** How long an ephemeral session stays after its program has ended, and how long one may idle, in ms. */
  readonly ephemeral: { readonly graceMs: number; readonly idleMs: number };
  /** How long a finished session is listed, and then kept, in ms. */
  readonly retention: { readonly archiveMs: number; readonly deleteMs: number };
  /** Maximum number of running sessions; 0 without a limit. */
  readonly maxSessions: number;
  /** Limits of a session's files: in one, with one prompt and in total; and how long they outlive its removal, in ms. */
  readonly uploads: UploadLimits;
  /** Interval of checks for expired data, in ms. */
  readonly housekeepingMs: number;
  /** Interval of queries of a watched pull request, in ms. */
  readonly pullRequestMs: number;
  /** How long an agent's program or the disk may take to answer, in ms. */
  readonly callMs: number;
  /** Interval of checks of all sessions when quiet, and while something happens, in ms. */
  readonly sweepMs: { readonly quiet: number; readonly busy: number };
}

export interface UploadLimits {
  readonly fileBytes: number;
  readonly requestBytes: number;
  readonly requestFiles: number;
  readonly sessionBytes: number;
  readonly sessionFiles: number;
  readonly keptMs: number;
}

const DAY_MS = 24 * 3_600_000;
const MIB = 1024 * 1024;

export const DEFAULT_SETTINGS: Omit<Settings, "sessionEnv" | "homeDir"> = {
  columns: 200,
  rows: 50,
  settleMs: 400,
  readyMs: 10_000,
  queueDepth: 32,
  turnWaitMs: 30_000,
  cancelGraceMs: 5_000,
  confirmMs: 5_000,
  graceMs: 3_000,
  beliefMs: 30_000,
  foreignSockets: [],
  suspicionMs: 1_000,
  discoverMs: 300_000,
  homeTag: null,
  sharedStore: false,
  autoResume: true,
  turnTrees: false,
  grant: null,
  thoughtMs: 10_000,
  resumeAfterLimit: { on: false, tries: 5, prompt: "The usage limit has reset. Continue where you stopped." },
  usageMs: 1_000,
  ephemeral: { graceMs: 60_000, idleMs: DAY_MS },
  retention: { archiveMs: 30 * DAY_MS, deleteMs: 30 * DAY_MS },
  maxSessions: 0,
  uploads: {
    fileBytes: 10 * MIB,
    requestBytes: 20 * MIB,
    requestFiles: 20,
    sessionBytes: 500 * MIB,
    sessionFiles: 1_000,
    keptMs: 7 * DAY_MS,
  },
  housekeepingMs: 60_000,
  pullRequestMs: 60_000,
  callMs: 20_000,
  sweepMs: { quiet: 10_000, busy: 1_000 },
};
