import type { AgentAdapter, AgentProcess } from "@tmpm/agents";
import type {
  CommentList,
  EventBody,
  GrantWish,
  KeptDecisions,
  KeyedQueue,
  ListenerSet,
  Project,
  PullRequestWatch,
  SessionMessages,
  SetupConsent,
  ThoughtSnapshot,
  UploadList,
  UsageRecord,
} from "@tmpm/core";
import type { SessionHost } from "@tmpm/host";
import type { DocumentStore, SendJournal, SessionStore, TurnJournal } from "@tmpm/store";
import type { DirectoryFacts, Forge, Place, PlacedTheme, Uploads, Workspaces } from "@tmpm/workspace";
import type { DecisionRegistry } from "./answer/kept-decisions.js";
import type { Changes } from "./changes.js";
import type { Clock } from "./clock.js";
import type { CommentRegistry } from "./comments/comment-registry.js";
import type { Alarm } from "./deadline.js";
import type { DeferredPlace, DeferringStore } from "./deferring-store.js";
import type { Deliveries } from "./delivery/deliveries.js";
import type { DiscoveredBefore } from "./discovery/discovered-before.js";
import type { MassLossGuard } from "./discovery/mass-loss-guard.js";
import type { HookPort } from "./hooks/hook-port.js";
import type { Refusals } from "./hooks/refusals.js";
import type { ForeignServer, Hosts } from "./hosts.js";
import type { Environment, LaunchEnvs } from "./launch/launch-env.js";
import type { SeedPort } from "./launch/seed-agent.js";
import type { MessageRegistry } from "./messages/message-registry.js";
import type { DirectoryRegistry } from "./observe/directory-registry.js";
import type { HookEdges } from "./observe/hook-edges.js";
import type { Observations } from "./observe/observations.js";
import type { SharedObservations } from "./observe/shared-observations.js";
import type { Silences } from "./observe/silences.js";
import type { PullRequestRegistry } from "./pull-request/pull-request-registry.js";
import type { Step } from "./steps.js";
import type { ThemeRegistry } from "./themes/theme-registry.js";
import type { ThoughtProvider } from "./thoughts/thought-provider.js";
import type { ThoughtRegistry } from "./thoughts/thought-registry.js";
import type { TurnRegistry } from "./turns/turn-registry.js";
import type { TurnTrees } from "./turns/turn-trees.js";
import type { UploadRegistry } from "./uploads/upload-registry.js";
import type { Budgets } from "./usage/budgets.js";
import type { LimitResumes } from "./usage/limit-resumes.js";
import type { UsageReader } from "./usage/usage-reader.js";
import type { UsageRegistry } from "./usage/usage-registry.js";

/** The dependencies of the supervisor: all access to the outside world. */
export interface Ports {
  /** Hosts for new sessions, in the order of preference for a session that names none. */
  readonly hosts: readonly SessionHost[];
  readonly foreign: ForeignServer;
  /** The agents running on this machine, wherever they were started. */
  readonly agentProcesses: () => Promise<readonly AgentProcess[]>;
  /** Whether a process is stopped by a signal until SIGCONT; never, by default. */
  readonly isSuspended?: (pid: number) => boolean;
  readonly store: SessionStore;
  /** Without it, records that the disk rejects are only in memory. */
  readonly deferred?: DeferredPlace;
  readonly sends: SendJournal;
  readonly turnJournal: TurnJournal;
  readonly seed: SeedPort;
  /** Environments of launches, by session. Private: they may hold keys. */
  readonly launchEnvStore: DocumentStore<Environment>;
  /** Registered projects, by path. */
  readonly projectStore: DocumentStore<Project>;
  /** The user's consent to project files, by the source of workspaces. */
  readonly consentStore: DocumentStore<SetupConsent>;
  /** Sources of thoughts besides the agents' own messages; none by default. */
  readonly thoughtProviders?: readonly ThoughtProvider[];
  /** Thoughts of sessions. */
  readonly thoughtStore: DocumentStore<ThoughtSnapshot>;
  /** Usage of sessions. */
  readonly usageStore: DocumentStore<UsageRecord>;
  /** Decisions of sessions. */
  readonly decisionStore: DocumentStore<KeptDecisions>;
  /** Uploaded files of sessions, and their lists. */
  readonly uploads: Uploads;
  readonly uploadStore: DocumentStore<UploadList>;
  /** Comments on sessions' changes. */
  readonly commentStore: DocumentStore<CommentList>;
  /** The known state of sessions' pull requests. */
  readonly pullRequestStore: DocumentStore<PullRequestWatch>;
  /** The pull request news in the event journal, by `newsId`. */
  readonly newsWritten: () => Promise<ReadonlySet<string>>;
  /** Questions and reports of sessions. */
  readonly messageStore: DocumentStore<SessionMessages>;
  /** @throws AGENT_UNKNOWN */
  readonly agent: (id: string) => AgentAdapter;
  /** All agents, for display; by default none are listed. */
  readonly agentList?: () => readonly AgentAdapter[];
  readonly describeDirectory: (path: string) => Promise<DirectoryFacts>;
  /** The kind of file at a path, without git; without it no directory is ever known to be gone. */
  readonly examinePath?: (path: string) => Promise<Place>;
  /** The colours of a directory with the repository that they belong to, if any; by default derived from the repository's path. */
  readonly themeOf?: (directory: string, repository: string | null) => Promise<PlacedTheme | null>;
  /** The directories made for sessions. */
  readonly workspaces: Workspaces;
  /** The hosts of repositories; without it no pull request can be opened. */
  readonly forge?: Forge;
  /** Whether these TCP ports are all free on this machine; without it workspaces get no ports. */
  readonly portsAreFree?: (ports: { readonly from: number; readonly count: number }) => Promise<boolean>;
  readonly clock: Clock;
  /** Timers for waiting on unresponsive parts; real time by default. */
  readonly alarm?: Alarm;
  /** A fresh version 4 UUID. */
  readonly newId: () => string;
  readonly emit: (event: EventBody) => void;
  /** Errors of background work, which has no caller to report to. */
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  /** How agents report to this process. Without it none do. */
  readonly hooks?: HookPort;
  /** Called at every step; tests stop the process here. */
  readonly reached: (step: Step) => Promise<void> | void;
}

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

export interface Context extends Omit<Ports, "hosts" | "store"> {
  readonly store: DeferringStore;
  readonly host: Hosts;
  readonly themes: ThemeRegistry;
  readonly directories: DirectoryRegistry;
  readonly silences: Silences;
  readonly uploadRegistry: UploadRegistry;
  readonly comments: CommentRegistry;
  readonly messages: MessageRegistry;
  readonly pullRequests: PullRequestRegistry;
  /** News of pull requests emitted since the start and not yet known to be in the journal, by `newsId`. */
  readonly newsEmitted: Set<string>;
  /** Requests a look at watched pull requests. */
  readonly pullRequestRequests: ListenerSet<void>;
  /** Serializes changes of a session's overrides. */
  readonly overriding: KeyedQueue;
  readonly thoughts: ThoughtRegistry;
  readonly usage: UsageRegistry;
  readonly usageReader: UsageReader;
  readonly budgets: Budgets;
  readonly limitResumes: LimitResumes;
  /** Resolves when the usage of earlier runs is loaded. */
  readonly usageLoaded: () => Promise<void>;
  readonly decisions: DecisionRegistry;
  /** Resolves when earlier decisions are loaded; looks and hooks wait for it. */
  readonly recalled: () => Promise<void>;
  readonly launchEnvs: LaunchEnvs;
  readonly settings: Settings;
  readonly queue: KeyedQueue;
  readonly observations: Observations;
  /** Requests a background look at every session soon. */
  readonly sweepRequests: ListenerSet<void>;
  readonly massLossGuard: MassLossGuard;
  readonly discovered: DiscoveredBefore;
  /** Serialises the choice of names. */
  readonly naming: KeyedQueue;
  /** Names of groups whose sessions are being created. */
  readonly startingGroups: Set<string>;
  /** All emitted events, for waiters in this process. */
  readonly changes: Changes;
  readonly looks: SharedObservations;
  /** The creation step of a session that is not launched yet, by its id: shown as its hint. */
  readonly making: Map<string, string>;
  /** Sessions being created whose caller already has the answer, by their ids. */
  readonly answered: Set<string>;
  readonly hookEdges: HookEdges;
  readonly refusals: Refusals;
  /** Requests an observation of one session soon, by its id. */
  readonly observeRequests: ListenerSet<string>;
  readonly deliveries: Deliveries;
  readonly turns: TurnRegistry;
  readonly turnTrees: TurnTrees;
  /** Serialises the acceptance of sends, so that a key is used once. */
  readonly accepting: KeyedQueue;
  /** One text of a session at a time. */
  readonly causing: KeyedQueue;
  /** Resolves when the last daemon's sends have been resumed. */
  readonly recovered: () => Promise<void>;
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
