import { hasCode, invalidState, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { forget } from "../observe/learn.js";
import { recordEvent } from "../record-change.js";

/**
 * Returns a terminal opened by another user: it continues, without our tag, and the session is stopped. Null, with nothing done, for a
 * session launched by tmpm. The caller holds the session's queue.
 */
export async function letGo(ctx: Context, record: SessionRecord): Promise<SessionRecord | null> {
  const { adopted, launched_at, pane } = record;
  if (adopted === null || launched_at !== null || pane === null) return null;
  return release(ctx, record);
}

/**
 * Releases a session: its program keeps running, unmanaged, even if tmpm started it. @throws HOST_CANNOT, INVALID_STATE for a session that
 * does not run
 */
export async function leaveRunning(ctx: Context, record: SessionRecord): Promise<SessionRecord> {
  if (record.state !== "active" || record.pane === null) throw invalidState(record, { verb: "leave running", allowed: ["active"] });
  ctx.host.requireCan(record.pane, "adopt");
  const { pane } = record;
  await ctx.store.update(record.id, (current) => ({ ...current, let_go: pane }));
  return release(ctx, record);
}

async function release(ctx: Context, { id, pane }: SessionRecord): Promise<SessionRecord> {
  if (pane === null) throw new TypeError(`session ${id} has no terminal to release`);
  try {
    await ctx.host.release(pane);
  } catch (error) {
    // A terminal that is gone, or managed by another program by now, needs no release.
    if (!hasCode(error, "PANE_GONE", "PANE_FOREIGN")) throw error;
  }
  const after = await recordEvent(ctx, id, { type: "stopped", cause: "deliberate", exit: null, last_lines: [] });
  ctx.turns.apply(id, { type: "closing", cause: "session_removed" });
  ctx.turns.apply(id, { type: "gone" });
  forget(ctx, after);
  return after;
}

export const LEFT_RUNNING = "its program was kept running, as requested";

export const LET_GO = "tmpm did not start its program, which keeps running";
