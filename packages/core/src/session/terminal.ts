import type { TmpmError } from "../errors.js";
import type { Exit, PaneIdentity } from "./record.js";

/**
 * Three answers, never two. `absent` is a positive answer of the right server, or proof that this server is gone;
 * a timeout, a missing binary or a killed client is `unknown`, and `unknown` must change nothing anywhere above.
 */
export type Answer<T> =
  | { readonly kind: "present"; readonly value: T }
  | { readonly kind: "absent"; readonly reason: string }
  | { readonly kind: "unknown"; readonly error: TmpmError };

/** One observation of a pane. Contains no text that a program in the pane can choose, except `command`, made printable. */
export interface PaneInfo {
  readonly identity: PaneIdentity;
  readonly tmuxName: string;
  /** A session id of tmpm, as tagged when the pane was created or adopted; null for unowned panes. */
  readonly sessionId: string | null;
  /** The home of the tmpm that tagged it; null when the tag has none. */
  readonly home: string | null;
  /** Pid of its program; 0 for one that has ended unseen, which tmux 3.8 no longer reports. */
  readonly pid: number;
  /** Null while the program runs. */
  readonly exit: Exit | null;
  readonly inMode: boolean;
  /** Users' terminals attached to the session now. */
  readonly viewers: number;
  readonly columns: number;
  readonly rows: number;
  /** When the pane last printed, in seconds since 1970. */
  readonly activeAt: number;
  /** The terminal's foreground process group is that of the pane's own program; null when that cannot be determined. */
  readonly foreground: boolean | null;
  readonly command: string;
}

/** In cells; 1 to 10,000 each. */
export interface PaneSize {
  readonly columns: number;
  readonly rows: number;
}

/** Cells of one row in the same style, other than plain text. Places count UTF-16 units of the row. */
export interface StyledRun {
  readonly from: number;
  readonly to: number;
  readonly faint: boolean;
  readonly italic: boolean;
  readonly reverse: boolean;
  /** Colour of the text: `#rrggbb`, or the number of one of the 256 colours; null for the terminal's own. */
  readonly colour: string | null;
}

export interface Screen {
  /** The visible rows, top to bottom, without trailing blanks; with `history`, preceded by that many rows at most of scrollback. */
  readonly lines: readonly string[];
  readonly cursor: { readonly column: number; readonly row: number; readonly visible: boolean };
  /** Rows scrolled off the top so far; `historySize + cursor.row` grows as the program prints. */
  readonly historySize: number;
  readonly title: string;
  /** For each of `lines`, its styled cells; undefined when styles were not read. */
  readonly styles?: readonly (readonly StyledRun[])[];
  readonly pane: PaneInfo;
}

export interface CreateSpec {
  readonly sessionId: string;
  readonly tmuxName: string;
  /** An absolute directory that exists. */
  readonly cwd: string;
  /** The program and its arguments, never a shell string. `argv[0]` is looked up in the `PATH` of `env`, else of the server. */
  readonly argv: readonly [string, ...string[]];
  /** Added to the server's clean environment. Passed in a private file, never in argv or in tmux's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

export interface KillReport {
  /** Processes that did not end, by pid; empty when the whole tree is proven gone. */
  readonly survivors: readonly number[];
  readonly exit: Exit | null;
  readonly lastLines: readonly string[];
  /** The name of the session with windows and panes that a user opened beside the terminal; undefined when there are none. */
  readonly kept?: string;
  /** Pids of tmux servers that the session's programs started, which keep running; undefined when there are none. */
  readonly servers?: readonly number[];
}

/** A change on the server. `look` means that events may have been missed: list again. */
export type ServerEvent =
  | { readonly type: "opened" | "closed" | "exited"; readonly pane: PaneIdentity; readonly sessionId: string | null }
  /** The pane printed, or its title changed. */
  | { readonly type: "active"; readonly pane: PaneIdentity; readonly sessionId: string | null }
  | { readonly type: "renamed"; readonly pane: PaneIdentity; readonly sessionId: string | null; readonly tmuxName: string }
  /** Users' terminals attached or detached. */
  | { readonly type: "viewers"; readonly pane: PaneIdentity; readonly sessionId: string | null; readonly viewers: number }
  | { readonly type: "look" };

/**
 * A pane's output, starting with a screen. `offset` counts the bytes before the event, as far as known: from the first screen, or from the
 * pane's first output if its host keeps it.
 * `paint` reproduces the screen in a terminal of the pane's size, which then continues with the chunks.
 */
export type OutputEvent =
  /** Comes first. Later bytes begin exactly where the screen ends; `paint` includes those of an incomplete sequence. */
  | { readonly type: "screen"; readonly offset: number; readonly screen: Screen; readonly paint: Uint8Array }
  | { readonly type: "chunk"; readonly offset: number; readonly bytes: Uint8Array }
  /** Bytes before it are lost, since the listener or tmux was too slow. It has the current screen instead. */
  | { readonly type: "gap"; readonly offset: number; readonly screen: Screen; readonly paint: Uint8Array }
  /**
   * The program has ended; the last event. The screen also includes output that tmux did not pass on; `screen.pane.exit` reports how it
   * ended.
   */
  | { readonly type: "exited"; readonly offset: number; readonly screen: Screen; readonly paint: Uint8Array }
  /** The pane is gone; the last event. */
  | { readonly type: "closed"; readonly offset: number };

/** While its promise is pending it gets nothing, and up to 1 MiB is buffered. */
export type OutputListener = (event: OutputEvent) => void | Promise<void>;

export interface OutputSubscription extends Subscription {
  /**
   * The current screen and its position in the stream: it includes everything before `offset`, and later bytes begin exactly where it ends.
   * Not before the first event. @throws like `output`, when the pane cannot be inspected
   */
  look(): Promise<{ readonly offset: number; readonly screen: Screen; readonly paint: Uint8Array }>;
  /** Resolves after the last event or `close`; rejects with the listener's error, which also ends the subscription. */
  readonly done: Promise<void>;
}

export interface Subscription {
  /** Idempotent. No listener runs after it. */
  close(): void;
}
