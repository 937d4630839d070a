import type { PaneInfo, SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { bindPane, importedFor } from "../discovery/bind-pane.js";
import { strangersOf } from "../discovery/their-terminal.js";

export interface Bound {
  /** The sessions with running terminals, by id, with the tmux session's name. */
  readonly running: ReadonlyMap<string, string>;
}

/** Binds imported sessions to their running terminals, so that none is started twice. With `dry_run` it only returns them. */
export async function bindRunning(
  ctx: Context,
  { records, dry_run }: { readonly records: readonly SessionRecord[]; readonly dry_run: boolean },
): Promise<Bound> {
  const running = new Map<string, string>();
  if (!records.some(({ state, stop_cause }) => state === "stopped" && stop_cause === "unexpected")) return { running };
  for (const { pane, directory } of await strangersOf(ctx)) {
    const record = importedFor({ pane, directory, records });
    if (record === null || running.has(record.id)) continue;
    if (dry_run || (await bound(ctx, { pane, record }))) running.set(record.id, pane.tmuxName);
  }
  return { running };
}

async function bound(ctx: Context, { pane, record }: { readonly pane: PaneInfo; readonly record: SessionRecord }): Promise<boolean> {
  try {
    await ctx.queue.run(record.id, () => bindPane(ctx, { pane, record, reason: "adopted_by_request" }));
    return true;
  } catch (error) {
    ctx.report({ doing: `binding tmux session ${pane.tmuxName} to the imported session ${record.name}`, error });
    return false;
  }
}
