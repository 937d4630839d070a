import { TmpmError } from "@tmpm/core";

/** A server as it answered, without its socket. */
export interface ServerRow {
  readonly pid: number;
  readonly start: number;
  readonly version: string;
}

/** A pane as tmux tells of it. */
export interface PaneRow {
  readonly paneId: string;
  readonly tmuxSession: string;
  readonly sessionId: string | null;
  readonly home: string | null;
  readonly pid: number;
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
  readonly command: string;
}

export interface ClientRow {
  readonly tmuxSession: string;
  readonly control: boolean;
  readonly flags: readonly string[];
}

export const SERVER_FORMAT = "tmpm-server\t#{pid}\t#{start_time}\t#{version}";

export const CLIENT_FORMAT = "tmpm-client\t#{session_id}\t#{client_control_mode}\t#{client_flags}";

/**
 * A row holds nothing that a program in a pane can choose, but its own name, which comes last and with every character that could end a field replaced in the
 * server; likewise our tag, which anybody can set on a foreign server. tmux makes control characters in session names visible itself (3.2).
 */
export const PANE_FORMAT = [
  "tmpm-pane",
  "#{pane_id}",
  "#{session_id}",
  "#{s/[^a-zA-Z0-9_-]/?/:@tmpm_id}",
  "#{s/[^a-zA-Z0-9_-]/?/:@tmpm_home}",
  "#{pane_pid}",
  "#{pane_dead}",
  "#{pane_dead_status}",
  "#{pane_dead_signal}",
  "#{pane_dead_time}",
  "#{pane_in_mode}",
  "#{pane_width}",
  "#{pane_height}",
  "#{window_activity}",
  "#{pane_tty}",
  "#{session_name}",
  "#{=64:#{s/[^a-zA-Z0-9_.+-]/?/:pane_current_command}}",
].join("\t");

const FIELDS = PANE_FORMAT.split("\t").length;

export interface Rows {
  readonly server: ServerRow;
  readonly panes: readonly PaneRow[];
  readonly clients: readonly ClientRow[];
}

/** Reads the rows among the lines of an answer, each pane once however many sessions show it. @throws TMUX_FAILED for a row that is not as asked for */
export function parseRows(output: string): Rows {
  const lines = output.split("\n").map((line) => line.split("\t"));
  const server = lines.find(([kind]) => kind === "tmpm-server");
  if (server === undefined) throw unreadable("no server row");
  const panes = new Map<string, PaneRow>();
  for (const fields of lines.filter(([kind]) => kind === "tmpm-pane")) {
    const pane = paneRow(fields);
    if (pane !== null && !panes.has(pane.paneId)) panes.set(pane.paneId, pane);
  }
  return {
    server: serverRow(server),
    panes: [...panes.values()],
    clients: lines.filter(([kind]) => kind === "tmpm-client").map(clientRow),
  };
}

function serverRow([, pid = "", start = "", version = ""]: readonly string[]): ServerRow {
  return { pid: count(pid), start: count(start), version };
}

function clientRow([, tmuxSession = "", control = "", flags = ""]: readonly string[]): ClientRow {
  return { tmuxSession, control: control === "1", flags: flags.split(",") };
}

/** Null for the row that `display-message` prints when its target is missing. */
function paneRow(fields: readonly string[]): PaneRow | null {
  if (fields.length !== FIELDS) throw unreadable(`a pane row of ${fields.length} fields`);
  const [, paneId = "", tmuxSession = "", tag = "", home = "", pid = "", dead = "", status = "", signal = "", deadAt = "", mode = ""] =
    fields;
  const [columns = "", rows = "", activeAt = "", tty = "", tmuxName = "", command = ""] = fields.slice(11);
  if (paneId === "") return null;
  if (!/^%\d+$/.test(paneId)) throw unreadable("a pane row without an id");
  return {
    paneId,
    tmuxSession,
    sessionId: tagOf(tag),
    home: tagOf(home),
    pid: count(pid),
    dead: dead === "1",
    status: optional(status),
    signal: optional(signal),
    deadAt: optional(deadAt),
    inMode: mode !== "0" && mode !== "",
    columns: count(columns),
    rows: count(rows),
    activeAt: count(activeAt),
    tty,
    tmuxName,
    command: command.replace(/[^ -~]/g, "?"),
  };
}

function tagOf(field: string): string | null {
  return field === "" || field.includes("?") ? null : field;
}

function optional(field: string): number | null {
  return field === "" ? null : count(field);
}

function count(field: string): number {
  if (!/^\d{1,15}$/.test(field)) throw unreadable("a field that should be a number");
  return Number(field);
}

function unreadable(what: string): TmpmError {
  return new TmpmError("TMUX_FAILED", `tmux answered in a form that tmpm does not know: ${what}`);
}
