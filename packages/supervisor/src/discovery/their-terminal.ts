import { hasCode, type PaneInfo, type SessionRecord, UNKNOWN_DIRECTORY } from "@tmpm/core";
import type { Context } from "../context.js";
import { bindPane } from "./bind-pane.js";
import { listAll } from "./terminals.js";

/** Unmanaged terminals in foreign tmux servers, with their directories; null when unknown. */
export interface Stranger {
  readonly pane: PaneInfo;
  readonly directory: string | null;
}

export async function strangersOf(ctx: Pick<Context, "foreign" | "host" | "settings">): Promise<readonly Stranger[]> {
  const answers = await listAll(ctx.settings.foreignSockets.map(ctx.foreign));
  const running = answers.flatMap(({ answer }) => (answer.kind === "present" ? answer.value : []));
  const panes = running.filter(({ sessionId, exit }) => sessionId === null && exit === null);
  const directories = await ctx.host.directories(panes.map(({ identity }) => identity));
  return panes.map((pane, index) => ({ pane, directory: directories[index] ?? null }));
}

/**
 * Binds a session run by another program of a shared store to the terminal with its tmux name, its directory and, if recorded, its pane.
 * Null, with nothing changed, when none is found. The caller holds the session's queue. @throws the errors of `SessionHost.adopt` and the
 * store
 */
export async function bindTheirs(ctx: Context, record: SessionRecord, strangers?: readonly Stranger[]): Promise<SessionRecord | null> {
  const found = (strangers ?? (await strangersOf(ctx))).find((stranger) => isTheirTerminal(record, stranger));
  if (found === undefined) return null;
  try {
    return await bindPane(ctx, { pane: found.pane, record, reason: "another_program" });
  } catch (error) {
    // It is gone meanwhile, or managed by another program.
    if (hasCode(error, "PANE_GONE", "PANE_FOREIGN")) return null;
    throw error;
  }
}

function isTheirTerminal(record: SessionRecord, { pane, directory }: Stranger): boolean {
  const { tmux_name, cwd, workspace_path, pane_id } = record;
  if (tmux_name !== pane.tmuxName || (typeof pane_id === "string" && pane_id !== pane.identity.pane_id)) return false;
  return cwd === UNKNOWN_DIRECTORY || directory === cwd || directory === workspace_path;
}
