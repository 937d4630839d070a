import type { SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { reported } from "../reported.js";

/** Deletes expired workspaces from the trash. Their sessions then have none, and a finish of theirs cannot be undone any more. */
export async function emptyTrash(ctx: Context): Promise<void> {
  const { purged, failed } = await ctx.workspaces.purge();
  for (const { id, error } of failed) ctx.report({ doing: `deleting ${id} from the trash`, error });
  const emptied = new Set(purged);
  if (emptied.size === 0) return;
  const isEmptied = ({ workspace }: SessionRecord) => workspace?.trashed != null && emptied.has(workspace.trashed.id);
  for (const entry of await ctx.store.list({ archived: true })) {
    if (entry.kind !== "session" || !isEmptied(entry.record)) continue;
    const { id, name } = entry.record;
    await reported(ctx, {
      doing: `removing the deleted workspace from session ${name}`,
      task: () => ctx.store.update(id, (current) => (isEmptied(current) ? { ...current, workspace: null, finished: null } : current)),
    });
  }
}
