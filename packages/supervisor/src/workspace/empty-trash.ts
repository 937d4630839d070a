import type { SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";

/** Deletes expired workspaces from the trash. Their sessions then have none, and a finish of theirs cannot be undone any more. */
export async function emptyTrash(ctx: Context): Promise<void> {
  const emptied = new Set(await ctx.workspaces.purge());
  if (emptied.size === 0) return;
  const isEmptied = ({ workspace }: SessionRecord) => workspace?.trashed != null && emptied.has(workspace.trashed.id);
  for (const entry of await ctx.store.list({ archived: true })) {
    if (entry.kind !== "session" || !isEmptied(entry.record)) continue;
    await ctx.store.update(entry.record.id, (current) => (isEmptied(current) ? { ...current, workspace: null, finished: null } : current));
  }
}
