import type { ProcessTable } from "./process-table.js";

/** How far a server's `start_time` may lie from its process's start, as two clocks tell them. */
const SLACK_SECONDS = 10;

/** Proof that the server of this generation has ended: its process is gone, or its pid belongs to another. */
export async function serverEnded(table: ProcessTable, server: { readonly pid: number; readonly start: number }): Promise<boolean> {
  const found = (await table.some([server.pid])).get(server.pid);
  if (found === undefined || found.zombie) return true;
  return Math.abs(found.startedAt - server.start) > SLACK_SECONDS;
}
