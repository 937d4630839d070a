import { isTerminal, msFromTimestamp, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { reported } from "../reported.js";

/**
 * Deletes expired workspaces from the trash. Their sessions then have no workspace, and a finish cannot be undone any more. This includes a
 * session whose expired workspace was deleted by other means, or before a crash.
 */
export async function emptyTrash(ctx: Context): Promise<void> {
  const { purged, failed } = await ctx.workspaces.purge();
  for (const { id, error } of failed) ctx.report({ doing: `deleting ${id} from the trash`, error });
  const [emptied, kept] = [new Set(purged), new Set(await ctx.workspaces.inTrash())];
  const isEmptied = (record: SessionRecord) => {
    const trashed = record.workspace?.trashed ?? null;
    if (trashed === null) return false;
    const expired = isTerminal(record) && record.intent === null && msFromTimestamp(trashed.until) <= ctx.clock.now();
    return emptied.has(trashed.id) || (expired && !kept.has(trashed.id));
  };
  for (const entry of await ctx.store.list({ archived: true })) {
    if (entry.kind !== "session" || !isEmptied(entry.record)) continue;
    const { id, name } = entry.record;
    await reported(ctx, {
      doing: `removing the deleted workspace from session ${name}`,
      task: () => ctx.store.update(id, (current) => (isEmptied(current) ? { ...current, workspace: null, finished: null } : current)),
    });
  }
}
