import type { AgentAdapter, AgentProcess } from "@tmpm/agents";
import type {
  CommentList,
  EventBody,
  KeptDecisions,
  KeyedQueue,
  ListenerSet,
  Project,
  PullRequestWatch,
  SessionMessages,
  SessionRecord,
  SetupConsent,
  ThoughtSnapshot,
  UploadList,
  UsageRecord,
} from "@tmpm/core";
import type { SessionHost } from "@tmpm/host";
import type { DocumentStore, SendJournal, SessionStore, TurnJournal } from "@tmpm/store";
import type { DirectoryFacts, Forge, Place, PlacedTheme, Uploads, Workspaces } from "@tmpm/workspace";
import type { DecisionBook } from "./answer/kept-decisions.js";
import type { Changes } from "./changes.js";
import type { Clock } from "./clock.js";
import type { CommentBook } from "./comments/comment-book.js";
import type { Alarm } from "./deadline.js";
import type { DeferredPlace, DeferringStore } from "./deferring-store.js";
import type { Deliveries } from "./delivery/deliveries.js";
import type { DiscoveredBefore } from "./discovery/discovered-before.js";
import type { Doubt } from "./discovery/doubt.js";
import type { HookPort } from "./hooks/hook-port.js";
import type { Refusals } from "./hooks/refusals.js";
import type { ForeignServer, Hosts } from "./hosts.js";
import type { Environment, LaunchEnvs } from "./launch/launch-env.js";
import type { SeedPort } from "./launch/seed-agent.js";
import type { DirectoryBook } from "./looks/directory-book.js";
import type { HookEdges } from "./looks/hook-edges.js";
import type { Observations } from "./looks/observations.js";
import type { SharedLooks } from "./looks/shared-looks.js";
import type { Silences } from "./looks/silences.js";
import type { MessageBook } from "./messages/message-book.js";
import type { PullRequestBook } from "./pull-request/pull-request-book.js";
import type { Step } from "./steps.js";
import type { ThemeBook } from "./themes/theme-book.js";
import type { ThoughtBook } from "./thoughts/thought-book.js";
import type { ThoughtProvider } from "./thoughts/thought-provider.js";
import type { TurnBook } from "./turns/turn-book.js";
import type { TurnTrees } from "./turns/turn-trees.js";
import type { UploadBook } from "./uploads/upload-book.js";
import type { Budgets } from "./usage/budgets.js";
import type { LimitResumes } from "./usage/limit-resumes.js";
import type { UsageBook } from "./usage/usage-book.js";
import type { UsageReader } from "./usage/usage-reader.js";

/** What the supervisor works with. Everything that touches the world comes in here. */
export interface Ports {
  /** Those on which sessions are created, in the order in which one is chosen for a session that names none. */
  readonly hosts: readonly SessionHost[];
  readonly foreign: ForeignServer;
  /** The agents that run on this machine, wherever they were started. */
  readonly agentProcesses: () => Promise<readonly AgentProcess[]>;
  /** Whether a process was stopped by a signal and waits for SIGCONT; never, when not given. */
  readonly isSuspended?: (pid: number) => boolean;
  readonly store: SessionStore;
  /** Without it, what the disk does not take is in memory alone. */
  readonly deferred?: DeferredPlace;
  readonly sends: SendJournal;
  readonly turnJournal: TurnJournal;
  readonly seed: SeedPort;
  /** Where the environments of launches are kept, by session. Private: they may hold keys. */
  readonly launchEnvStore: DocumentStore<Environment>;
  /** Where the registered projects are kept, by path. */
  readonly projectStore: DocumentStore<Project>;
  /** What project files say that the user consented to, by where workspaces are made from. */
  readonly consentStore: DocumentStore<SetupConsent>;
  /** Sources of thoughts besides the agents' own messages; none when not given. */
  readonly thoughtProviders?: readonly ThoughtProvider[];
  /** Where the thoughts of sessions are kept. */
  readonly thoughtStore: DocumentStore<ThoughtSnapshot>;
  /** Where it is kept what sessions have used, by session. */
  readonly usageStore: DocumentStore<UsageRecord>;
  /** Where what sessions ask and asked is kept, by session. */
  readonly decisionStore: DocumentStore<KeptDecisions>;
  /** Files that sessions are given, and where it is kept which they are. */
  readonly uploads: Uploads;
  readonly uploadStore: DocumentStore<UploadList>;
  /** Where the comments on what sessions changed are kept, by session. */
  readonly commentStore: DocumentStore<CommentList>;
  /** Where it is kept what is known of the pull requests of sessions, by session. */
  readonly pullRequestStore: DocumentStore<PullRequestWatch>;
  /** The news of pull requests that the event journal has, by `newsId`. */
  readonly newsWritten: () => Promise<ReadonlySet<string>>;
  /** Where it is kept what sessions asked and reported, by session. */
  readonly messageStore: DocumentStore<SessionMessages>;
  /** @throws AGENT_UNKNOWN */
  readonly agent: (id: string) => AgentAdapter;
  /** All of them, to be named to people; none is named without it. */
  readonly agentList?: () => readonly AgentAdapter[];
  readonly describeDirectory: (path: string) => Promise<DirectoryFacts>;
  /** What is at a path, without asking git; without it no directory is ever known to be gone. */
  readonly lookAtPath?: (path: string) => Promise<Place>;
  /** The colours of a directory in a repository, if it is in any, and whose they are; made from the repository's path without it. */
  readonly themeOf?: (directory: string, repository: string | null) => Promise<PlacedTheme | null>;
  /** The directories that are made for sessions. */
  readonly workspaces: Workspaces;
  /** The hosts of repositories; without it no pull request can be opened. */
  readonly forge?: Forge;
  /** Whether nothing on this machine listens on any of these TCP ports; without it workspaces get no ports. */
  readonly portsAreFree?: (ports: { readonly from: number; readonly count: number }) => Promise<boolean>;
  readonly clock: Clock;
  /** Ends the waiting for what does not answer; real time without it. */
  readonly alarm?: Alarm;
  /** A fresh version 4 UUID. */
  readonly newId: () => string;
  readonly emit: (event: EventBody) => void;
  /** Faults of background work, which has no caller to report to. */
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  /** How agents report to this process. Without it none does. */
  readonly hooks?: HookPort;
  /** Called at every step; tests stop the process here. */
  readonly reached: (step: Step) => Promise<void> | void;
}

export interface Settings {
  /** The environment that sessions inherit on top of their host's, and that programs are looked up in. */
  readonly sessionEnv: Readonly<Record<string, string>>;
  readonly homeDir: string;
  readonly columns: number;
  readonly rows: number;
  /** How long a launch is watched for a program that ends at once, in ms. */
  readonly settleMs: number;
  /** How long a send waits for the agent to become ready, in ms. */
  readonly readyMs: number;
  /** How many prompts of a session may wait, counting one for what runs. */
  readonly queueDepth: number;
  /** How long a prompt waits for its time unless asked to wait indefinitely, in ms. */
  readonly turnWaitMs: number;
  /** How long an agent may take to stop when its turn is cancelled, in ms. */
  readonly cancelGraceMs: number;
  /** How long typed text may take to show, and a pressed Enter to act, in ms. */
  readonly confirmMs: number;
  /** How long a program is given to end on its own, in ms. */
  readonly graceMs: number;
  /** After this long without a look, a belief about a session is no longer shown as one, in ms. */
  readonly beliefMs: number;
  /** Other people's tmux servers that are checked without being named: socket paths, or names in tmux's own folder. */
  readonly foreignSockets: readonly string[];
  /** How long is waited before so many sessions are believed to have gone at once, in ms. */
  readonly suspicionMs: number;
  /** How often other servers and processes are looked for unasked, in ms. */
  readonly discoverMs: number;
  /** How our hosts tag what this home creates and adopts; null when it does not say. */
  readonly homeTag: string | null;
  /** Another program writes the records, too: it is followed, and the terminals of what it starts are looked for. */
  readonly sharedStore: boolean;
  /** Launches again what stopped unexpectedly. */
  readonly autoResume: boolean;
  /** Keeps what stands in a session's work tree when a turn begins and ends, in its repository. */
  readonly turnTrees: boolean;
  /** How often the agents' own messages are checked, in ms. */
  readonly thoughtMs: number;
  /** Whether a session continues on its own after a usage limit, by what prompt, and how often at most until a person does something. */
  readonly resumeAfterLimit: { readonly on: boolean; readonly tries: number; readonly prompt: string };
  /** How often it is checked what sessions at work use, in ms. */
  readonly usageMs: number;
  /** How long an ephemeral session stays after its program has ended, and how long one may idle, in ms. */
  readonly ephemeral: { readonly graceMs: number; readonly idleMs: number };
  /** How long a finished session is listed, and how long it is kept after that, in ms. */
  readonly retention: { readonly archiveMs: number; readonly deleteMs: number };
  /** How many sessions may run at once; 0 without a limit. */
  readonly maxSessions: number;
  /** What a session takes of files: in one, with one prompt and in all; and how long they outlive its removal, in ms. */
  readonly uploads: UploadLimits;
  /** How often what has outlived its time is looked for, in ms. */
  readonly housekeepingMs: number;
  /** How often a watched pull request is looked at, in ms. */
  readonly pullRequestMs: number;
  /** How long an agent's program or the disk may take to answer, in ms. */
  readonly callMs: number;
  /** How often all sessions are checked when nothing happens, and while something does, in ms. */
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
  readonly themes: ThemeBook;
  readonly directories: DirectoryBook;
  readonly silences: Silences;
  readonly uploadBook: UploadBook;
  readonly comments: CommentBook;
  readonly messages: MessageBook;
  readonly pullRequests: PullRequestBook;
  /** The news of pull requests that were emitted since the start and are not known to be in the journal, by `newsId`. */
  readonly newsEmitted: Set<string>;
  /** Asks for a look at what is to be watched. */
  readonly pullRequestRequests: ListenerSet<void>;
  /** One change of a session's overrides after the other. */
  readonly overriding: KeyedQueue;
  readonly thoughts: ThoughtBook;
  readonly usage: UsageBook;
  readonly usageReader: UsageReader;
  readonly budgets: Budgets;
  readonly limitResumes: LimitResumes;
  /** Resolves when what earlier runs counted is known. */
  readonly usageLoaded: () => Promise<void>;
  readonly decisions: DecisionBook;
  /** Resolves when what sessions asked before is known: no look and no hook is taken in before that. */
  readonly recalled: () => Promise<void>;
  readonly launchEnvs: LaunchEnvs;
  readonly settings: Settings;
  readonly queue: KeyedQueue;
  readonly observations: Observations;
  /** Asks for a background look at every session soon. */
  readonly sweepRequests: ListenerSet<void>;
  readonly doubt: Doubt;
  readonly discovered: DiscoveredBefore;
  /** Serialises the choice of names. */
  readonly naming: KeyedQueue;
  /** Everything emitted, for those who wait for it in this process. */
  readonly changes: Changes;
  readonly looks: SharedLooks;
  /** What is being made for a session that is not launched yet, by its id: shown as its hint. */
  readonly making: Map<string, string>;
  readonly hookEdges: HookEdges;
  readonly refusals: Refusals;
  /** Asks for an observation of one session soon, by its id. */
  readonly observeRequests: ListenerSet<string>;
  readonly deliveries: Deliveries;
  readonly turns: TurnBook;
  readonly turnTrees: TurnTrees;
  /** Serialises the acceptance of sends, so that a key is taken once. */
  readonly accepting: KeyedQueue;
  /** One text of a session at a time. */
  readonly causing: KeyedQueue;
  /** Resolves when what the last daemon was sending is under way again. */
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

export type RecordChange = (current: SessionRecord) => SessionRecord;
