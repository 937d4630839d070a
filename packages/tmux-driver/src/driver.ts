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

/** A tmux server, as it answered. `version` is the server's own. */
export interface ServerInfo {
  readonly socket: string;
  readonly pid: number;
  /** Seconds since 1970. */
  readonly start: number;
  readonly version: string;
  /** Of the tmux program at hand, null when it does not report one: differs when tmux was upgraded under a server that runs on. */
  readonly programVersion: string | null;
  /** The control group by which a service manager would end the server, as a path; null where the system reports none. */
  readonly cgroup: string | null;
}

/** How a person's terminal attaches. */
export interface AttachHow {
  /** It types nothing, and gives the session no size. */
  readonly readOnly?: boolean;
  /** The size stays that of the terminals that are there already. */
  readonly keepSize?: boolean;
  /** For a terminal that shows a session of the same server: run with its `TMUX` and `TMUX_PANE` set, it shows this one instead. */
  readonly switching?: boolean;
  /** The terminal shows 24-bit colours, whether its type says so or not (tmux 3.2). */
  readonly trueColor?: boolean;
}

/**
 * One tmux server. Calls may be made at any time and in any number; effects on one pane happen in the order of the calls.
 *
 * Every effect proves inside the server, in the same command, that the pane is the one of `identity`, on the same server, and tagged with a
 * session id of ours. @throws PANE_GONE, PANE_FOREIGN, PANE_DEAD, PANE_IN_MODE (effect none); TMUX_NOT_FOUND, TMUX_TOO_OLD (none);
 * TMUX_UNRESPONSIVE (unknown: a command that timed out may still run later); TMUX_FAILED.
 */
export interface TmuxDriver {
  /** How commands travel: one process each, over one control-mode connection, or in memory. */
  readonly transport: "one-shot" | "control" | "memory";
  /** The server's socket: an absolute path. */
  readonly socket: string;
  /** Absent when no server runs on the socket, and the program could start one: TMUX_TOO_OLD of one that could not is unknown. */
  server(): Promise<Answer<ServerInfo>>;
  /** All panes of all sessions; a running server without sessions is present with an empty list. */
  list(): Promise<Answer<readonly PaneInfo[]>>;
  /** Exactly this pane. Absent when its server answers without it, or is proven to have ended. */
  find(identity: PaneIdentity): Promise<Answer<PaneInfo>>;
  /**
   * Starts the server when it has to, and the program in a new tmux session of one pane, tagged with the session id by the command that creates it.
   * Resolves when the pane exists; the program may already have ended (`exit`). @throws NAME_TAKEN
   */
  create(spec: CreateSpec): Promise<PaneInfo>;
  /**
   * Begins to treat a pane that tmpm did not create as ours: tags it, and changes nothing else. Idempotent for the same session id.
   * @throws PANE_FOREIGN when it is another session's
   */
  adopt(identity: PaneIdentity, sessionId: string): Promise<void>;
  /** Takes the tags off again and leaves the pane running. @throws PANE_FOREIGN for a pane without a tag */
  release(identity: PaneIdentity): Promise<void>;
  /**
   * Gives the tmux session that was made for the pane another name. @throws NAME_TAKEN, INVALID_ARGUMENT; PANE_FOREIGN when the pane is in a session that
   * tmpm did not create, which keeps its name
   */
  rename(identity: PaneIdentity, tmuxName: string): Promise<void>;
  /**
   * Gives the window that was made for the pane a size, whatever clients are attached; null lets it follow the terminals that are attached again.
   * @throws INVALID_ARGUMENT; PANE_FOREIGN when the pane is in a session that tmpm did not create, which keeps its size
   */
  resize(identity: PaneIdentity, size: PaneSize | null): Promise<void>;
  /**
   * The directories that the panes' programs work in, in the order of the identities; null where that cannot be determined. A program that was just created may
   * still be on its way to its own.
   */
  directories(identities: readonly PaneIdentity[]): Promise<readonly (string | null)[]>;
  /**
   * Types text as a paste, byte for byte, framed when the program asked for it; presses no Enter.
   * Takes text that `parseText` of `@tmpm/core` returned. @throws LINE_TOO_LONG when a program that reads whole lines would lose the end of one
   */
  paste(identity: PaneIdentity, text: string): Promise<void>;
  /** Presses keys, by their tmux names (`Enter`, `C-c`, `Escape`, `F1`, `a`). @throws INVALID_ARGUMENT for a name that is not a key */
  keys(identity: PaneIdentity, keys: readonly string[]): Promise<void>;
  /** The screen now, and `history` rows of scrollback before it (default 0). Works on dead panes. */
  capture(identity: PaneIdentity, options?: { readonly history?: number }): Promise<Screen>;
  /**
   * The screens of many panes in few requests, in the order of the identities; `history` as for `capture`. One that is not there, or could not be looked at,
   * does not spoil the others.
   */
  captureMany(identities: readonly PaneIdentity[], options?: { readonly history?: number }): Promise<readonly Answer<Screen>[]>;
  /**
   * Ends the process tree of the pane (SIGHUP, after `graceMs` SIGKILL), proves it gone, keeps the exit and the last lines, and removes the tmux session.
   * Idempotent: killing a pane that is gone succeeds.
   */
  kill(identity: PaneIdentity, options: { readonly graceMs: number }): Promise<KillReport>;
  /** Reports changes to any session of the server until closed. The first event is `look`. */
  watch(listener: (event: ServerEvent) => void): Subscription;
  /**
   * Reports everything that the pane prints, beginning with its screen, until the subscription is closed or the pane has ended. Resolves once it listens.
   * It sizes, counts and keeps alive nothing. @throws PANE_GONE, PANE_FOREIGN; RESOURCE_EXHAUSTED for more than 20 panes at once
   */
  output(identity: PaneIdentity, listener: OutputListener): Promise<OutputSubscription>;
  /** The command that attaches a person's terminal, with `readOnly` one that types nothing: argv, to be run with `TMUX` unset. */
  attachCommand(identity: PaneIdentity, how?: AttachHow): readonly [string, ...string[]];
  /** Ends what the driver itself runs; never the server, never a session. Idempotent. */
  close(): Promise<void>;
}
