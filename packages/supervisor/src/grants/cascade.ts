import { hasCode, isTerminal, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { stop } from "../operations/stop.js";
import { isLive } from "../owners/require-room.js";
import { allRecords } from "./family.js";

/** The running sessions whose ended parents' grants stop them too. A parent that is about to be resumed has not ended. */
export function leftBehind(records: readonly SessionRecord[]): readonly SessionRecord[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  return records.filter((record) => {
    const parent = record.lineage === null || record.spawned_by === null ? undefined : byId.get(record.spawned_by);
    return record.state === "active" && record.intent === null && parent !== undefined && endsChildren(parent);
  });
}

function endsChildren(parent: SessionRecord): boolean {
  if (parent.grant?.stop_children !== true || isLive(parent) || parent.intent !== null) return false;
  return isTerminal(parent) || parent.auto_resume === null || parent.auto_resume.next_at === null;
}

/** Stops orphaned sessions. Records and directories stay, and each can be resumed by a user. */
export async function stopLeftBehind(ctx: Context): Promise<void> {
  for (const { id } of leftBehind(await allRecords(ctx))) {
    try {
      await stop(ctx, { session: id, reason: "parent_ended" });
    } catch (error) {
      if (!hasCode(error, "INVALID_STATE", "SESSION_NOT_FOUND"))
        ctx.report({ doing: `stopping session ${id}, whose parent has ended`, error });
    }
  }
}
