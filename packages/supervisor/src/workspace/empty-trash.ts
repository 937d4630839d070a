import type { SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";

/** Deletes the workspaces that have been in the trash for their time. Their sessions have none any more. */
export async function emptyTrash(ctx: Context): Promise<void> {
  const emptied = new Set(await ctx.workspaces.purge());
  if (emptied.size === 0) return;
  const isEmptied = ({ workspace }: SessionRecord) => workspace?.trashed != null && emptied.has(workspace.trashed.id);
  for (const entry of await ctx.store.list({ archived: true })) {
    if (entry.kind !== "session" || !isEmptied(entry.record)) continue;
    await ctx.store.update(entry.record.id, (current) => (isEmptied(current) ? { ...current, workspace: null } : current));
  }
}
