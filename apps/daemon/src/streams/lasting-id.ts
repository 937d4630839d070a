import { createHash } from "node:crypto";
import type { Terminal } from "@tmpm/supervisor";

/** The stream id of a terminal whose host numbers its output: the same for every daemon, unique per terminal. A UUID of version 8. */
export function lastingId({ id, pane }: Pick<Terminal, "id" | "pane">): string {
  const named = [id, pane.socket, pane.server_pid, pane.server_start, pane.pane_id];
  const hex = createHash("sha256").update(JSON.stringify(named)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
