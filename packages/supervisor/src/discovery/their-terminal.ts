import { hasCode, type PaneInfo, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { bindPane } from "./bind-pane.js";
import { listAll } from "./terminals.js";

/** What runs in other people's tmux servers and is not a session yet, with the directory that it is in; null when that is unknown. */
export interface Stranger {
  readonly pane: PaneInfo;
  readonly directory: string | null;
}

export async function strangersOf(ctx: Context): Promise<readonly Stranger[]> {
  const answers = await listAll(ctx.settings.foreignSockets.map(ctx.foreign));
  const running = answers.flatMap(({ answer }) => (answer.kind === "present" ? answer.value : []));
  const panes = running.filter(({ sessionId, exit }) => sessionId === null && exit === null);
  const directories = await ctx.host.directories(panes.map(({ identity }) => identity));
  return panes.map((pane, index) => ({ pane, directory: directories[index] ?? null }));
}

/**
 * Gives a session that another program of a shared store runs the terminal that has its tmux name, its directory and, where that was written down, its pane. Null,
 * with nothing changed, when none is found. For a caller that holds the session's queue. @throws what `SessionHost.adopt` and the store throw
 */
export async function bindTheirs(ctx: Context, record: SessionRecord, strangers?: readonly Stranger[]): Promise<SessionRecord | null> {
  const found = (strangers ?? (await strangersOf(ctx))).find((stranger) => isTheirTerminal(record, stranger));
  if (found === undefined) return null;
  try {
    return await bindPane(ctx, { pane: found.pane, record, reason: "another_program" });
  } catch (error) {
    // It is gone meanwhile, or another program manages it.
    if (hasCode(error, "PANE_GONE", "PANE_FOREIGN")) return null;
    throw error;
  }
}

/** What trusty-mpm writes for a session whose directory it does not know. */
const UNKNOWN_DIRECTORY = "/unknown";

function isTheirTerminal(record: SessionRecord, { pane, directory }: Stranger): boolean {
  const { tmux_name, cwd, workspace_path, pane_id } = record;
  if (tmux_name !== pane.tmuxName || (typeof pane_id === "string" && pane_id !== pane.identity.pane_id)) return false;
  return cwd === UNKNOWN_DIRECTORY || directory === cwd || directory === workspace_path;
}
