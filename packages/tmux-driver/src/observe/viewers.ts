import type { ClientRow } from "./pane-row.js";

/** Users' terminals attached to the tmux session. A control client that ignores its size is ours; a user's (iTerm2) does not. */
export function viewersOf(tmuxSession: string, clients: readonly ClientRow[]): number {
  return clients.filter((client) => client.tmuxSession === tmuxSession && !isOurs(client)).length;
}

function isOurs(client: ClientRow): boolean {
  return client.control && client.flags.includes("ignore-size");
}
