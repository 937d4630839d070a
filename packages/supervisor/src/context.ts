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
import type { Settings } from "./settings.js";
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

/** The ports with their time limits, and the state that operations share. */
export interface Context extends Omit<Ports, "hosts" | "store"> {
  readonly store: DeferringStore;
  readonly host: Hosts;
  readonly settings: Settings;
  /** One operation of a session at a time. */
  readonly queue: KeyedQueue;
  readonly queues: Queues;
  readonly requests: Requests;
  /** All emitted events, for waiters in this process. */
  readonly changes: Changes;
  readonly themes: ThemeRegistry;
  readonly directories: DirectoryRegistry;
  readonly uploadRegistry: UploadRegistry;
  readonly comments: CommentRegistry;
  readonly messages: MessageRegistry;
  readonly pullRequests: PullRequests;
  readonly thoughts: ThoughtRegistry;
  readonly usage: Usage;
  readonly decisions: DecisionRegistry;
  readonly launchEnvs: LaunchEnvs;
  readonly observations: Observations;
  readonly looks: SharedObservations;
  readonly discovery: { readonly massLossGuard: MassLossGuard; readonly before: DiscoveredBefore };
  readonly hookReports: HookReports;
  readonly creating: Creating;
  readonly deliveries: Deliveries;
  readonly turns: TurnRegistry;
  readonly turnTrees: TurnTrees;
  /** Resolves when earlier decisions are loaded; looks and hooks wait for it. */
  readonly recalled: () => Promise<void>;
  /** Resolves when the last daemon's sends have been resumed. */
  readonly recovered: () => Promise<void>;
}

interface Queues {
  /** Serialises the choice of names. */
  readonly naming: KeyedQueue;
  /** Serialises changes of a session's overrides. */
  readonly overriding: KeyedQueue;
  /** Serialises the acceptance of sends, so that a key is used once. */
  readonly accepting: KeyedQueue;
  /** One text of a session at a time. */
  readonly causing: KeyedQueue;
}

/** Background work that an operation requests. */
interface Requests {
  /** An observation of every session. */
  readonly sweep: ListenerSet<void>;
  /** An observation of one session, by its id. */
  readonly observe: ListenerSet<string>;
}

interface PullRequests {
  readonly registry: PullRequestRegistry;
  /** News emitted since the start and not yet known to be in the journal, by `newsId`. */
  readonly emitted: Set<string>;
  /** Requests a query of watched pull requests. */
  readonly requests: ListenerSet<void>;
}

interface Usage {
  readonly registry: UsageRegistry;
  readonly reader: UsageReader;
  readonly budgets: Budgets;
  readonly limitResumes: LimitResumes;
  /** Resolves when the usage of earlier runs is loaded. */
  readonly loaded: () => Promise<void>;
}

interface HookReports {
  readonly edges: HookEdges;
  readonly refusals: Refusals;
  readonly silences: Silences;
}

/** Sessions that are being created. */
interface Creating {
  /** The step of a session that is not launched yet, by its id: shown as its hint. */
  readonly steps: Map<string, string>;
  /** Those whose caller already has the answer, by their ids. */
  readonly answered: Set<string>;
  /** Names of their groups. */
  readonly groups: Set<string>;
}
