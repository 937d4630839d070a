import type {
  Answer,
  CreateSpec,
  KillReport,
  OutputListener,
  OutputSubscription,
  PaneIdentity,
  PaneInfo,
  PaneSize,
  Screen,
  ServerEvent,
  Subscription,
} from "@tmpm/core";

export type {
  Answer,
  CreateSpec,
  KillReport,
  OutputEvent,
  OutputListener,
  OutputSubscription,
  PaneInfo,
  PaneSize,
  Screen,
  ServerEvent,
  Subscription,
} from "@tmpm/core";

/** A tmux server, from its own answer. `version` is the server's own. */
export interface ServerInfo {
  readonly socket: string;
  readonly pid: number;
  /** Seconds since 1970. */
  readonly start: number;
  readonly version: string;
  /** Version of the installed tmux program, null when it does not report one; differs when tmux was upgraded under a running server. */
  readonly programVersion: string | null;
  /** The cgroup by which a service manager would end the server, as a path; null when the system reports none. */
  readonly cgroup: string | null;
}

/** How a user's terminal attaches. */
export interface AttachHow {
  /** Read-only, and without an effect on the session's size. */
  readonly readOnly?: boolean;
  /** Keeps the size of the terminals already attached. */
  readonly keepSize?: boolean;
  /** For a terminal that shows a session of the same server: with its `TMUX` and `TMUX_PANE` set, it switches to this one. */
  readonly switching?: boolean;
  /** The terminal supports 24-bit colours, whether or not its type declares it (tmux 3.2). */
  readonly trueColor?: boolean;
}

/**
 * One tmux server. Calls may be concurrent; effects on one pane happen in call order.
 * Every effect proves inside the server, in the same command, that the pane is the one of `identity`, on the same server, and tagged with a
 * session id of ours. @throws PANE_GONE, PANE_FOREIGN, PANE_DEAD, PANE_IN_MODE (effect none); TMUX_NOT_FOUND, TMUX_TOO_OLD (none);
 * TMUX_UNRESPONSIVE (unknown: a command that timed out may still run later); TMUX_FAILED.
 */
export interface TmuxDriver {
  /** The transport of commands: one process each, one control-mode connection, or memory. */
  readonly transport: "one-shot" | "control" | "memory";
  /** The server's socket: an absolute path. */
  readonly socket: string;
  /** Absent when no server runs on the socket, and the program could start one; unknown with a program too old for it (TMUX_TOO_OLD). */
  server(): Promise<Answer<ServerInfo>>;
  /** Whether a process may serve the socket, according to the system, without the tmux program. False only with proof. */
  isServed(): Promise<boolean>;
  /** All panes of all sessions; a running server without sessions is present with an empty list. */
  list(): Promise<Answer<readonly PaneInfo[]>>;
  /** Exactly this pane. Absent when its server answers without it, or is proven to have ended. */
  find(identity: PaneIdentity): Promise<Answer<PaneInfo>>;
  /**
   * Starts the server if necessary, and the program in a new tmux session of one pane, tagged with the session id by the creating command.
   * Resolves when the pane exists; the program may already have ended (`exit`). @throws NAME_TAKEN
   */
  create(spec: CreateSpec): Promise<PaneInfo>;
  /**
   * Adopts a pane that tmpm did not create: tags it, and changes nothing else. Idempotent for the same session id.
   * @throws PANE_FOREIGN when it is another session's
   */
  adopt(identity: PaneIdentity, sessionId: string): Promise<void>;
  /** Removes the tags again and leaves the pane running. @throws PANE_FOREIGN for a pane without a tag */
  release(identity: PaneIdentity): Promise<void>;
  /**
   * Renames the tmux session created for the pane. @throws NAME_TAKEN, INVALID_ARGUMENT; PANE_FOREIGN when the pane is in a session that
   * tmpm did not create, which keeps its name
   */
  rename(identity: PaneIdentity, tmuxName: string): Promise<void>;
  /**
   * Resizes the window created for the pane, regardless of attached clients; null makes it follow the attached terminals again.
   * @throws INVALID_ARGUMENT; PANE_FOREIGN when the pane is in a session that tmpm did not create, which keeps its size
   */
  resize(identity: PaneIdentity, size: PaneSize | null): Promise<void>;
  /**
   * The working directories of the panes' programs, in the order of the identities; null when unknown. A just created program may not have
   * changed to its own yet.
   */
  directories(identities: readonly PaneIdentity[]): Promise<readonly (string | null)[]>;
  /**
   * Types text as a paste, byte for byte, bracketed if the program requested it; presses no Enter.
   * Takes text returned by `parseText` of `@tmpm/core`. @throws LINE_TOO_LONG when a line-mode program would lose the end of a line
   */
  paste(identity: PaneIdentity, text: string): Promise<void>;
  /** Presses keys, by their tmux names (`Enter`, `C-c`, `Escape`, `F1`, `a`). @throws INVALID_ARGUMENT for an unknown key */
  keys(identity: PaneIdentity, keys: readonly string[]): Promise<void>;
  /** The current screen, with `history` rows of scrollback before it (default 0). Works on dead panes. */
  capture(identity: PaneIdentity, options?: { readonly history?: number }): Promise<Screen>;
  /**
   * The screens of many panes in few requests, in the order of the identities; `history` as for `capture`. A missing or unknown pane does
   * not affect the others.
   */
  captureMany(identities: readonly PaneIdentity[], options?: { readonly history?: number }): Promise<readonly Answer<Screen>[]>;
  /**
   * Ends the process tree of the pane (SIGHUP, after `graceMs` SIGKILL), proves it gone, keeps the exit and the last lines, and removes the
   * tmux session.
   * Idempotent: killing a missing pane succeeds.
   */
  kill(identity: PaneIdentity, options: { readonly graceMs: number }): Promise<KillReport>;
  /** Reports changes to any session of the server until closed. The first event is `look`. */
  watch(listener: (event: ServerEvent) => void): Subscription;
  /**
   * Reports all output of the pane, beginning with its screen, until the subscription is closed or the pane has ended. Resolves once it
   * listens.
   * It does not resize, count as a viewer or keep the session alive. @throws PANE_GONE, PANE_FOREIGN; RESOURCE_EXHAUSTED for more than 20
   * panes at once
   */
  output(identity: PaneIdentity, listener: OutputListener): Promise<OutputSubscription>;
  /** The command that attaches a user's terminal, with `readOnly` one that types nothing: argv, to be run with `TMUX` unset. */
  attachCommand(identity: PaneIdentity, how?: AttachHow): readonly [string, ...string[]];
  /** Ends the driver's own processes; never the server, never a session. Idempotent. */
  close(): Promise<void>;
}
