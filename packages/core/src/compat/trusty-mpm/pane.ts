import type { PaneIdentity } from "../../session/record.js";

/** Their pane: an id and, in later releases, the server as `<pid>:<start time>`; the socket is not stored. */
export interface ForeignPane {
  readonly pane_id: unknown;
  readonly tmux_server: unknown;
}

/** Null unless every part of the identity is known. */
export function paneFromForeign({ pane_id, tmux_server }: ForeignPane, socket: string | undefined): PaneIdentity | null {
  if (socket === undefined || typeof pane_id !== "string" || typeof tmux_server !== "string") return null;
  const server = /^([1-9]\d*):(\d+)$/.exec(tmux_server);
  if (server === null || !/^%\d+$/.test(pane_id)) return null;
  return { socket, server_pid: Number(server[1]), server_start: Number(server[2]), pane_id };
}

/** Null for a pane of another server: there, its id would name a foreign pane. */
export function paneToForeign(pane: PaneIdentity, socket: string | undefined): ForeignPane {
  if (pane.socket !== socket) return { pane_id: null, tmux_server: null };
  return { pane_id: pane.pane_id, tmux_server: `${pane.server_pid}:${pane.server_start}` };
}
