import { hasCode, isTerminal, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { stop } from "../operations/stop.js";
import { isLive } from "../owners/require-room.js";
import { allRecords } from "./family.js";

/** A session, and the launch of its parent that has ended. */
interface Left {
  readonly record: SessionRecord;
  readonly ended: string;
}

/**
 * The sessions whose parents' grants stop them too, at their parents' ends that were not applied yet. A parent that is about to be resumed
 * has not ended.
 */
export function leftBehind(records: readonly SessionRecord[]): readonly Left[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  return records.flatMap((record) => {
    const parent = record.lineage === null || record.spawned_by === null ? undefined : byId.get(record.spawned_by);
    if (parent === undefined || isTerminal(record) || record.intent !== null || !endsChildren(parent)) return [];
    const ended = parent.launched_at ?? parent.created_at;
    return record.lineage?.ended_with === ended ? [] : [{ record, ended }];
  });
}

/** A revoked grant does not keep them. */
function endsChildren(parent: SessionRecord): boolean {
  if (parent.grant?.stop_children === false || isLive(parent) || parent.intent !== null) return false;
  return isTerminal(parent) || parent.auto_resume === null || parent.auto_resume.next_at === null;
}

/** Stops orphaned sessions once. Records and directories stay, and each can be resumed by a user. */
export async function stopLeftBehind(ctx: Context): Promise<void> {
  for (const { record, ended } of leftBehind(await allRecords(ctx))) {
    const { id } = record;
    try {
      // `stop` also cancels automatic resuming.
      if (record.state !== "errored") await stop(ctx, { session: id, reason: "parent_ended" });
      await ctx.store.updateAnyway(id, (current) =>
        current.lineage === null ? current : { ...current, lineage: { ...current.lineage, ended_with: ended } },
      );
    } catch (error) {
      if (!hasCode(error, "INVALID_STATE", "SESSION_NOT_FOUND"))
        ctx.report({ doing: `stopping session ${id}, whose parent has ended`, error });
    }
  }
}
