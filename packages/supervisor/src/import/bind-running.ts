import type { PaneInfo, SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { bindPane, importedFor } from "../discovery/bind-pane.js";
import { listAll } from "../discovery/terminals.js";

export interface Bound {
  /** The sessions whose terminals run, by id, with the tmux session's name. */
  readonly running: ReadonlyMap<string, string>;
}

/** Gives imported sessions the terminals in which they still run, so that none is started a second time. With `dry_run` it only tells which. */
export async function bindRunning(
  ctx: Context,
  { records, dry_run }: { readonly records: readonly SessionRecord[]; readonly dry_run: boolean },
): Promise<Bound> {
  const running = new Map<string, string>();
  if (!records.some(({ state, stop_cause }) => state === "stopped" && stop_cause === "unexpected")) return { running };
  const panes = await strangers(ctx);
  const directories = await ctx.host.directories(panes.map(({ identity }) => identity));
  for (const [index, pane] of panes.entries()) {
    const record = importedFor({ pane, directory: directories[index] ?? null, records });
    if (record === null || running.has(record.id)) continue;
    if (dry_run || (await bound(ctx, { pane, record }))) running.set(record.id, pane.tmuxName);
  }
  return { running };
}

/** What runs in other people's tmux servers, and is not a session yet. */
async function strangers(ctx: Context): Promise<readonly PaneInfo[]> {
  const answers = await listAll(ctx.settings.foreignSockets.map(ctx.foreign));
  const panes = answers.flatMap(({ answer }) => (answer.kind === "present" ? answer.value : []));
  return panes.filter(({ sessionId, exit }) => sessionId === null && exit === null);
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
