import { hasCode, msFromTimestamp, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf } from "../facts.js";
import { findSession } from "../find-session.js";
import { removeNow } from "../operations/remove.js";
import { isExpected } from "../owners/evict-siblings.js";
import { reported } from "../reported.js";
import { UNANSWERED } from "../unanswered.js";

/** Removes the ephemeral sessions whose program ended a while ago, and those unused for long. Returns their ids. Paused ones are kept. */
export async function reapEphemeral(ctx: Context): Promise<readonly string[]> {
  const entries = await ctx.store.list();
  const due = entries.flatMap((entry) => (entry.kind === "session" && isDue(ctx, entry.record) ? [entry.record.id] : []));
  const reaped = await Promise.all(
    due.map((id) => reported(ctx, { doing: `removing ephemeral session ${id}`, task: () => reap(ctx, id) })),
  );
  return reaped.flatMap((id) => id ?? []);
}

function isDue(ctx: Context, record: SessionRecord): boolean {
  if (!record.ephemeral || record.intent !== null || record.paused_at !== null || isExpected(ctx, record.id)) return false;
  const { graceMs, idleMs } = ctx.settings.ephemeral;
  switch (record.state) {
    case "stopped":
    case "errored":
      return age(ctx, record.exit?.at ?? record.updated_at) >= graceMs;
    case "active":
      return isForgotten(ctx, record, idleMs);
    default:
      return false;
  }
}

/** Seen idle for all that time, without viewers; an unknown activity does not count as idle. */
function isForgotten(ctx: Context, record: SessionRecord, idleMs: number): boolean {
  const { activity, viewers } = factsOf(ctx, record);
  const printedMs = ctx.clock.now() - (ctx.observations.get(record.id)?.pane.activeAt ?? Number.POSITIVE_INFINITY) * 1000;
  if (activity.state !== "idle" || viewers > 0 || printedMs < idleMs) return false;
  return [record.launched_at, record.last_activity_at].every((at) => at === null || age(ctx, at) >= idleMs);
}

function age(ctx: Pick<Context, "clock">, at: string): number {
  return ctx.clock.now() - msFromTimestamp(at);
}

/**
 * Checked again while nothing else is done to the session and no prompt for it is accepted. A workspace with unsaved work keeps its
 * session, and so does a surviving process.
 */
async function reap(ctx: Context, id: string): Promise<string | null> {
  try {
    return await ctx.queue.run(id, () =>
      ctx.queues.accepting.run(id, async () => {
        const record = await findSession(ctx, id);
        if (!isDue(ctx, record)) return null;
        const { session } = await removeNow(ctx, { record, wishes: {} });
        return session.record.state === "decommissioned" ? id : null;
      }),
    );
  } catch (error) {
    if (hasCode(error, "WORKSPACE_REFUSED", "INVALID_STATE", ...UNANSWERED, "SESSION_NOT_FOUND")) return null;
    throw error;
  }
}
