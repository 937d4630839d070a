import type { ClientRow } from "./pane-row.js";

/** People's terminals that show the tmux session. A control client that ignores its size is one of ours; a person's (iTerm2) does not. */
export function viewersOf(tmuxSession: string, clients: readonly ClientRow[]): number {
  return clients.filter((client) => client.tmuxSession === tmuxSession && !isOurs(client)).length;
}

function isOurs(client: ClientRow): boolean {
  return client.control && client.flags.includes("ignore-size");
}
