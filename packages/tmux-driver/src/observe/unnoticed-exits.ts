import { type ProcessTable, signalProcess } from "@tmpm/processes";
import type { Rows } from "./pane-row.js";

/**
 * A tmux that records logins (libutempter) ignores SIGCHLD for a moment when a pane closes, and can miss the end of its program: the pane
 * is dead with an unknown status until another child ends. Returns whether there is such a pane, and makes the server check.
 */
export async function wakeForUnnoticedExits(table: ProcessTable, { server, panes }: Rows): Promise<boolean> {
  const suspects = panes.filter(({ dead, status, signal }) => dead && status === null && signal === null);
  if (suspects.length === 0) return false;
  const found = await table.some(suspects.flatMap(({ pid }) => pid ?? []));
  if (![...found.values()].some(({ zombie, parent }) => zombie && parent === server.pid)) return false;
  // Only a server that handles this signal is affected by it.
  return signalProcess(server.pid, "SIGCHLD");
}
