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
 * What only some hosts can do. A host has the members that a verb needs, or says in `cannot` why not; never both, never neither.
 * `adopt` needs `adopt` and `release`, `attach` needs `attachCommand`, `keys` needs `keys`, `type` needs `paste`, `stream` needs `output`, `replay` needs `replay`,
 * `resize` needs `resize`.
 */
export const HOST_VERBS = ["adopt", "attach", "keys", "type", "stream", "replay", "resize"] as const;
export type HostVerb = (typeof HOST_VERBS)[number];

/** Why a host has no way for a verb, as a sentence without an end mark, and what serves instead; null when nothing does. */
export interface Cannot {
  readonly why: string;
  readonly instead: string | null;
}

/**
 * Whether sessions can be started on a host, on this machine and now. `detail` is shown by `tmpm doctor`. One that is `silent` is there and gives no answer: no
 * other takes its place.
 */
export type Availability =
  | { readonly kind: "available"; readonly detail: string }
  | { readonly kind: "silent"; readonly reason: string; readonly hint: string | null }
  | { readonly kind: "missing"; readonly reason: string; readonly hint: string };

/** Bytes of what a terminal printed, by their number. */
export interface ByteRange {
  readonly from: number;
  readonly most: number;
}

export interface HostCreateSpec extends CreateSpec {
  /** For a host with a `conversation`: what its agent begins with. A host with terminals passes it over, for there the argv says it. */
  readonly beginning: {
    /** The conversation that it resumes; null for a new one. */
    readonly conversationId: string | null;
    readonly overrides: SessionOverrides;
    /** What it may do unasked, in its own words; absent for what is usual. */
    readonly permissions?: string | undefined;
    /** The program and arguments of an MCP server that the agent is given, for a session with a grant. */
    readonly tools?: readonly string[] | undefined;
    /** Where what each turn used is written down, absolute; absent where it is not read. */
    readonly usageFile?: string | undefined;
  };
}

/** A screen, and what the host itself knows of the agent behind it; without a `reading` the agent's adapter reads the screen. */
export type HostScreen = Screen & Partial<Pick<ConversationScreen, "reading">>;

/** `keepSize`: it takes its size from the terminals that are there. `switching`, for tmux: a terminal that shows another session there goes over to this one. */
export interface AttachHow {
  readonly readOnly?: boolean;
  readonly keepSize?: boolean;
  readonly switching?: boolean;
  /** The terminal shows 24-bit colours. */
  readonly trueColor?: boolean;
}

/**
 * What runs the programs of sessions and holds their terminals: a tmux server, PTYs of ours, agents that speak a protocol. Calls may be made at any time and in any
 * number; effects on one terminal happen in the order of the calls, and each proves that the terminal is the one of `identity`, and ours.
 * `list` and `find` give three answers; `unknown` changes nothing. @throws PANE_GONE, PANE_FOREIGN, PANE_DEAD, PANE_IN_MODE with effect none; UNRESPONSIVE, or an
 * answer of the host's own such as TMUX_UNRESPONSIVE, with the effect that it may have had.
 *
 * `@tmpm/host/contract` proves what an implementation has to do.
 */
export interface SessionHost {
  /** What the records of its sessions say. `--host` takes it in small letters. */
  readonly control: ControlModel;
  /** Where its terminals are, by which it is distinguished from others: the socket of a tmux server, the folder of all holders. An absolute path. */
  readonly place: string;
  readonly cannot: Readonly<Partial<Record<HostVerb, Cannot>>>;
  /** What a person who attaches from inside tmux has to know first; absent when that makes no difference. */
  readonly nested?: string;
  /** Whether a terminal of this identity would be one of its own, as far as the socket says. */
  holds(socket: string): boolean;
  /** Looked at anew with every call, without starting anything that stays. */
  available(): Promise<Availability>;

  /** All its terminals, those of other homes too. */
  list(): Promise<Answer<readonly PaneInfo[]>>;
  /** The same, seen a way that shares nothing with `list`: asked when what that one says is hard to believe. `list` itself where there is no other way. */
  listAgain(): Promise<Answer<readonly PaneInfo[]>>;
  /** Exactly this terminal. Absent only when that is proven. */
  find(identity: PaneIdentity): Promise<Answer<PaneInfo>>;
  /** Starts the program in a terminal that carries the session id from its first moment. Resolves when that exists; the program may have ended already. @throws NAME_TAKEN where names are unique */
  create(spec: HostCreateSpec): Promise<PaneInfo>;
  /** Ends the whole process tree (SIGHUP, after `graceMs` SIGKILL), proves it gone, keeps exit and last lines, removes the terminal. One that is gone is not an error. */
  kill(identity: PaneIdentity, options: { readonly graceMs: number }): Promise<KillReport>;
  /** The screen now, and `history` rows before it (default 0). Works after the program has ended, until `kill`. */
  capture(identity: PaneIdentity, options?: { readonly history?: number }): Promise<HostScreen>;
  /** Of many, in the order of the identities. One that cannot be inspected does not spoil the others. */
  captureMany(identities: readonly PaneIdentity[], options?: { readonly history?: number }): Promise<readonly Answer<HostScreen>[]>;
  /** The directories that the programs work in, in the order of the identities; null where that cannot be determined. */
  directories(identities: readonly PaneIdentity[]): Promise<readonly (string | null)[]>;
  /** Reports changes to any of its terminals until closed. The first event is `look`. */
  watch(listener: (event: ServerEvent) => void): Subscription;
  /** Ends what serves the host in this process; never a session. Idempotent. */
  close(): Promise<void>;

  /** The command that attaches a person's terminal, with `readOnly` one that types nothing, as argv; run by the caller, so it holds no secret. */
  attachCommand?(identity: PaneIdentity, how?: AttachHow): readonly [string, ...string[]];
  /** Presses keys, by their tmux names (`Enter`, `C-c`, `F1`, `a`). @throws INVALID_ARGUMENT for a name that is not a key */
  keys?(identity: PaneIdentity, keys: readonly string[]): Promise<void>;
  /** Types text as a paste, byte for byte, framed when the program asked for it; presses no Enter. @throws LINE_TOO_LONG */
  paste?(identity: PaneIdentity, text: string): Promise<void>;
  /** Everything that it prints, beginning with its screen. Resolves once it listens. @throws RESOURCE_EXHAUSTED */
  output?(identity: PaneIdentity, listener: OutputListener): Promise<OutputSubscription>;
  /**
   * What was printed from byte `from` on: so many bytes at most, fewer only where no more are printed; null when the first of them is no longer kept. Where a host
   * has it, `output` counts from the terminal's first byte, for each who asks.
   */
  replay?(identity: PaneIdentity, range: ByteRange): Promise<Uint8Array | null>;
  /** Null lets it follow the terminals that are attached, if any. @throws INVALID_ARGUMENT, PANE_FOREIGN */
  resize?(identity: PaneIdentity, size: PaneSize | null): Promise<void>;
  /** Begins to treat a terminal that tmpm did not open as ours, and changes nothing else. @throws PANE_FOREIGN */
  adopt?(identity: PaneIdentity, sessionId: string): Promise<void>;
  /** Lets go of it again, and leaves it running. */
  release?(identity: PaneIdentity): Promise<void>;
  /** Where terminals carry a name that others see. @throws NAME_TAKEN; PANE_FOREIGN for one that keeps its name */
  rename?(identity: PaneIdentity, tmuxName: string): Promise<void>;

  /** Where the agent is spoken with instead of being typed at. */
  readonly conversation?: Conversation;
}
