import { TmpmError } from "@tmpm/core";
import { type ClientRow, type PaneRow, type Rows, SAFE_FIELDS, type ServerRow } from "./pane-row.js";

export interface ReadRows extends Rows {
  /** In request order, each without its line end. */
  readonly texts: readonly string[];
}

/** Parses the output of formats with this mark, each pane once even if several sessions show it. @throws TMUX_FAILED for a malformed row */
export function readRows(output: string, mark: string): ReadRows {
  const servers: ServerRow[] = [];
  const clients: ClientRow[] = [];
  const panes = new Map<string, PaneRow>();
  const texts: string[] = [];
  const pieces = output.split(mark);
  for (let index = 1; index < pieces.length; index++) {
    const [kind, value] = pieceOf(pieces[index]);
    switch (kind) {
      case "pane": {
        const [next, command] = pieceOf(pieces[index + 1]);
        const row = paneRow(value, next === "command" ? command.replace(/[^ -~]/g, "?") : "");
        if (row !== null && !panes.has(row.paneId)) panes.set(row.paneId, row);
        break;
      }
      case "command":
        break;
      case "text":
        texts.push(value);
        break;
      case "end":
        break;
      case "client":
        clients.push(clientRow(value));
        break;
      default:
        servers.push(serverRow(value));
    }
  }
  const [server] = servers;
  if (server === undefined) throw unreadable("no server row");
  return { server, panes: [...panes.values()], clients, texts };
}

/** The kind of a piece, and its value without the line end. */
function pieceOf(piece = ""): readonly [string, string] {
  const tab = piece.indexOf("\t");
  return [piece.slice(0, tab), piece.slice(tab + 1, piece.endsWith("\n") ? -1 : undefined)];
}

function serverRow(value: string): ServerRow {
  const [pid = "", start = "", version = ""] = value.split("\t");
  return { pid: count(pid), start: count(start), version };
}

function clientRow(value: string): ClientRow {
  const [tmuxSession = "", control = "", flags = ""] = value.split("\t");
  return { tmuxSession, control: control === "1", flags: flags.split(",") };
}

/** Null for the row that `display-message` prints for a missing target. */
function paneRow(value: string, program: string): PaneRow | null {
  const fields = value.split("\t");
  if (fields.length < SAFE_FIELDS.length) throw unreadable(`a pane row of ${fields.length} fields`);
  const [paneId = "", tmuxSession = "", pid = "", dead = "", status = "", signal = "", deadAt = "", mode = ""] = fields;
  const [columns = "", rows = "", activeAt = "", tty = "", tmuxName = "", id = "", home = "", ...more] = fields.slice(8);
  if (paneId === "") return null;
  if (!/^%\d+$/.test(paneId)) throw unreadable("a pane row without an id");
  // No tag of ours contains a tab.
  const ours = more.length === 0;
  return {
    paneId,
    tmuxSession,
    sessionId: ours ? tagOf(id) : null,
    home: ours ? tagOf(home) : null,
    pid: optional(pid),
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
    command: program,
  };
}

/** On a foreign server any client can set our tags to any value. */
function tagOf(field: string): string | null {
  return /^[A-Za-z0-9_-]+$/.test(field) ? field : null;
}

function optional(field: string): number | null {
  return field === "" ? null : count(field);
}

function count(field: string): number {
  if (!/^\d{1,15}$/.test(field)) throw unreadable("a field that should be a number");
  return Number(field);
}

function unreadable(what: string): TmpmError {
  return new TmpmError("TMUX_FAILED", `tmux's answer has an unknown format: ${what}`);
}
