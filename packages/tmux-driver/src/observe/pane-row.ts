/** A server's answer, without its socket. */
export interface ServerRow {
  readonly pid: number;
  readonly start: number;
  readonly version: string;
}

/** A pane as tmux reports it. */
export interface PaneRow {
  readonly paneId: string;
  readonly tmuxSession: string;
  readonly sessionId: string | null;
  readonly home: string | null;
  /** Null once the program has ended (tmux 3.8). */
  readonly pid: number | null;
  readonly dead: boolean;
  readonly status: number | null;
  readonly signal: number | null;
  readonly deadAt: number | null;
  readonly inMode: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly activeAt: number;
  readonly tty: string;
  readonly tmuxName: string;
  /** Empty unless asked for. */
  readonly command: string;
}

export interface ClientRow {
  readonly tmuxSession: string;
  readonly control: boolean;
  readonly flags: readonly string[];
}

export interface Rows {
  readonly server: ServerRow;
  readonly panes: readonly PaneRow[];
  readonly clients: readonly ClientRow[];
}

/** Fields that no client can choose freely, in print order: tmux itself escapes control characters in session names (3.2). */
export const SAFE_FIELDS = [
  "pane_id",
  "session_id",
  "pane_pid",
  "pane_dead",
  "pane_dead_status",
  "pane_dead_signal",
  "pane_dead_time",
  "pane_in_mode",
  "pane_width",
  "pane_height",
  "window_activity",
  "pane_tty",
  "session_name",
] as const;

/** A live pane has no end: each omitted field saves the server a twentieth of a row. */
const SAFE_FORMAT = SAFE_FIELDS.map((name) => `#{${name}}`)
  .join("\t")
  .replace(
    "#{pane_dead}\t#{pane_dead_status}\t#{pane_dead_signal}\t#{pane_dead_time}",
    "#{?pane_dead,1\t#{pane_dead_status}\t#{pane_dead_signal}\t#{pane_dead_time},0\t\t\t}",
  );

/** The formats of one request. */
export interface RowFormats {
  readonly server: string;
  readonly client: string;
  readonly pane: string;
  /** A pane without its command, for which tmux reads system files. */
  readonly paneFacts: string;
  /** Precedes any text, which ends at the next row or text. */
  readonly text: string;
  /** Precedes the last row. */
  readonly end: string;
}

/**
 * The mark is a word that no program can know and begins every row and text, so that no chosen text looks like one. Freely chosen fields
 * are at the end: our tags, on a foreign server, in their row, and a program's name after a mark of its own.
 */
export function rowFormats(mark: string): RowFormats {
  const paneFacts = `${mark}pane\t${SAFE_FORMAT}\t#{@tmpm_id}\t#{@tmpm_home}`;
  return {
    server: `${mark}server\t#{pid}\t#{start_time}\t#{version}`,
    client: `${mark}client\t#{session_id}\t#{client_control_mode}\t#{client_flags}`,
    pane: `${paneFacts}${mark}command\t#{=64:pane_current_command}`,
    paneFacts,
    text: `${mark}text\t`,
    end: `${mark}end\t`,
  };
}
