import type {
  Answer,
  ControlModel,
  CreateSpec,
  KillReport,
  OutputListener,
  OutputSubscription,
  PaneIdentity,
  PaneInfo,
  PaneSize,
  Screen,
  ServerEvent,
  SessionOverrides,
  Subscription,
} from "@tmpm/core";
import type { Conversation, ConversationScreen } from "./conversation.js";

/**
 * Capabilities that only some hosts have. A host either has the members that a verb needs, or gives a reason in `cannot`, never both or
 * neither.
 * `adopt` needs `adopt` and `release`, `attach` needs `attachCommand`, `keys` needs `keys`, `type` needs `paste`, `stream` needs `output`,
 * `replay` needs `replay`, `resize` needs `resize`.
 */
export const HOST_VERBS = ["adopt", "attach", "keys", "type", "stream", "replay", "resize"] as const;
export type HostVerb = (typeof HOST_VERBS)[number];

/** The reason why a host does not support a verb, as a sentence without an end mark, and an alternative; null if there is none. */
export interface Cannot {
  readonly why: string;
  readonly instead: string | null;
}

/**
 * Whether sessions can be started on a host, on this machine and now. `detail` is shown by `tmpm doctor`. A `silent` host exists but does
 * not answer: no other host takes its place.
 */
export type Availability =
  | { readonly kind: "available"; readonly detail: string }
  | { readonly kind: "silent"; readonly reason: string; readonly hint: string | null }
  | { readonly kind: "missing"; readonly reason: string; readonly hint: string };

/** Output bytes of a terminal, with their offset. */
export interface ByteRange {
  readonly from: number;
  readonly most: number;
}

export interface HostCreateSpec extends CreateSpec {
  /** For a host with a `conversation`: the initial settings of its agent. A host with terminals ignores it, because argv contains them. */
  readonly beginning: {
    /** The conversation to resume; null for a new one. */
    readonly conversationId: string | null;
    readonly overrides: SessionOverrides;
    /** The agent's permission mode, in its own words; absent for the default. */
    readonly permissions?: string | undefined;
    /** The program and arguments of an MCP server for the agent, for a session with a grant. */
    readonly tools?: readonly string[] | undefined;
    /** The absolute path for each turn's usage record; absent if it is not read. */
    readonly usageFile?: string | undefined;
  };
}

/** A screen, and the host's own knowledge of the agent; without a `reading` the agent's adapter reads the screen. */
export type HostScreen = Screen & Partial<Pick<ConversationScreen, "reading">>;

/**
 * `keepSize`: it takes its size from the attached terminals. `switching`, for tmux: a terminal that shows another session there switches to
 * this one.
 */
export interface AttachHow {
  readonly readOnly?: boolean;
  readonly keepSize?: boolean;
  readonly switching?: boolean;
  /** The terminal shows 24-bit colours. */
  readonly trueColor?: boolean;
}

/**
 * Runs the programs of sessions and owns their terminals: a tmux server, PTYs of ours, agents that speak a protocol. Any number of calls
 * may be made at any time; effects on one terminal happen in the order of the calls, and each verifies that the terminal is the one of
 * `identity`, and ours.
 * `list` and `find` have three possible answers; `unknown` changes nothing. @throws PANE_GONE, PANE_FOREIGN, PANE_DEAD, PANE_IN_MODE with
 * effect none; UNRESPONSIVE, or a host-specific code such as TMUX_UNRESPONSIVE, with its possible effect.
 * `@tmpm/host/contract` tests the requirements on an implementation.
 */
export interface SessionHost {
  /** The host's name in the records of its sessions. `--host` takes it in lower case. */
  readonly control: ControlModel;
  /**
   * The location of its terminals, which distinguishes it from other hosts: the socket of a tmux server, the folder of all holders. An
   * absolute path.
   */
  readonly place: string;
  readonly cannot: Readonly<Partial<Record<HostVerb, Cannot>>>;
  /** Advice for a user who attaches from inside tmux; absent if that makes no difference. */
  readonly nested?: string;
  /** Whether a terminal of this identity would be one of its own, according to the socket. */
  holds(socket: string): boolean;
  /** Determined anew with every call, without starting anything that stays. */
  available(): Promise<Availability>;

  /** All its terminals, also those of other homes. */
  list(): Promise<Answer<readonly PaneInfo[]>>;
  /**
   * The same result by a path that shares nothing with `list`: used to verify an implausible result. `list` itself if there is no other
   * path.
   */
  listAgain(): Promise<Answer<readonly PaneInfo[]>>;
  /**
   * Whether the system proves, without the host's program, that it has no terminals. Undefined on a host whose `list` needs no program of
   * its own.
   */
  provenEmpty?(): Promise<boolean>;
  /**
   * Proves that no terminal of this session runs or will run, where `list` has none, for a caller that creates none meanwhile. Undefined on
   * a host whose `list` always has all. @throws UNRESPONSIVE when one may run
   */
  requireNone?(sessionId: string): Promise<void>;
  /** Exactly this terminal. Absent only if that is proven. */
  find(identity: PaneIdentity): Promise<Answer<PaneInfo>>;
  /**
   * Starts the program in a terminal that has the session id from the start. Resolves when the terminal exists; the program may have ended
   * already. @throws NAME_TAKEN if names are unique
   */
  create(spec: HostCreateSpec): Promise<PaneInfo>;
  /**
   * Ends the whole process tree (SIGHUP, after `graceMs` SIGKILL), proves it gone, keeps exit status and last lines, and removes the
   * terminal. A terminal that is already gone is not an error.
   */
  kill(identity: PaneIdentity, options: { readonly graceMs: number }): Promise<KillReport>;
  /** The current screen, and `history` rows before it (default 0). Works after the program has ended, until `kill`. */
  capture(identity: PaneIdentity, options?: { readonly history?: number }): Promise<HostScreen>;
  /** Screens of many terminals, in the order of the identities. A failure of one does not affect the others. */
  captureMany(identities: readonly PaneIdentity[], options?: { readonly history?: number }): Promise<readonly Answer<HostScreen>[]>;
  /** The working directories of the programs, in the order of the identities; null if unknown. */
  directories(identities: readonly PaneIdentity[]): Promise<readonly (string | null)[]>;
  /** Reports changes to any of its terminals until closed. The first event is `look`. */
  watch(listener: (event: ServerEvent) => void): Subscription;
  /** Closes the connections of this process; never ends a session. Idempotent. */
  close(): Promise<void>;

  /** The command that attaches a user's terminal, as argv; with `readOnly` it cannot type. The caller runs it, so it contains no secret. */
  attachCommand?(identity: PaneIdentity, how?: AttachHow): readonly [string, ...string[]];
  /** Presses keys, by their tmux names (`Enter`, `C-c`, `F1`, `a`). @throws INVALID_ARGUMENT for an unknown name */
  keys?(identity: PaneIdentity, keys: readonly string[]): Promise<void>;
  /** Types text as a paste, byte for byte, bracketed if the program requested it; presses no Enter. @throws LINE_TOO_LONG */
  paste?(identity: PaneIdentity, text: string): Promise<void>;
  /** All output, beginning with the screen. Resolves once it listens. @throws RESOURCE_EXHAUSTED */
  output?(identity: PaneIdentity, listener: OutputListener): Promise<OutputSubscription>;
  /**
   * Output from byte `from` on, at most `most` bytes, fewer only if there is no more output; null if the first byte is no longer stored. If
   * a host supports this, `output` counts from the terminal's first byte, for every listener.
   */
  replay?(identity: PaneIdentity, range: ByteRange): Promise<Uint8Array | null>;
  /** Null lets it follow the attached terminals, if any. @throws INVALID_ARGUMENT, PANE_FOREIGN */
  resize?(identity: PaneIdentity, size: PaneSize | null): Promise<void>;
  /** Adopts a terminal that tmpm did not open, and changes nothing else. @throws PANE_FOREIGN */
  adopt?(identity: PaneIdentity, sessionId: string): Promise<void>;
  /** Releases it, and leaves it running. */
  release?(identity: PaneIdentity): Promise<void>;
  /** For terminals with a name that is visible to others. @throws NAME_TAKEN; PANE_FOREIGN for one that keeps its name */
  rename?(identity: PaneIdentity, tmuxName: string): Promise<void>;

  /** For agents that use a protocol instead of a terminal. */
  readonly conversation?: Conversation;
}
