import { hasCode, type SessionRecord } from "@tmpm/core";
import type { Context } from "./context.js";
import { findSession } from "./find-session.js";
import { recordEvent } from "./record-change.js";

/**
 * Brings the record of an active session up to date when its program has ended or its terminal is provably gone. Whatever cannot be told changes nothing.
 * A dead terminal is removed once its exit and last lines are kept.
 */
export function concludeIfEnded(ctx: Context, id: string): Promise<SessionRecord> {
  return ctx.queue.run(id, () => concludeNow(ctx, id));
}

/** The same, for a caller that already holds the session's queue. */
export async function concludeNow(ctx: Context, id: string): Promise<SessionRecord> {
  const record = await findSession(ctx, id);
  if (record.state !== "active" || record.pane === null) return record;
  const answer = await ctx.driver.find(record.pane);
  if (answer.kind === "unknown") return record;
  if (answer.kind === "absent") return stopped(ctx, record, { exit: null, lastLines: [] });
  if (answer.value.exit === null) return record;
  const { exit, lastLines } = await endDead(ctx, record);
  return stopped(ctx, record, { exit: exit ?? answer.value.exit, lastLines });
}

async function endDead(ctx: Context, record: SessionRecord): Promise<{ exit: SessionRecord["exit"]; lastLines: readonly string[] }> {
  if (record.pane === null) return { exit: null, lastLines: [] };
  try {
    return await ctx.driver.kill(record.pane, { graceMs: ctx.settings.graceMs });
  } catch (error) {
    // The exit is known whether or not the dead pane can be removed now.
    if (!hasCode(error, "PANE_FOREIGN", "PANE_GONE", "TMUX_UNRESPONSIVE", "TMUX_FAILED")) throw error;
    return { exit: null, lastLines: [] };
  }
}

function stopped(
  ctx: Context,
  record: SessionRecord,
  end: { exit: SessionRecord["exit"]; lastLines: readonly string[] },
): Promise<SessionRecord> {
  ctx.observations.forget(record.id);
  return recordEvent(ctx, record.id, { type: "stopped", cause: "unexpected", exit: end.exit, last_lines: end.lastLines });
}
