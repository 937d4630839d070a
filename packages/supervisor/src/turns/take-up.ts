import { DEFAULT_PROJECT, hasCode, isHandedOver, type SendEntry, type SessionRecord, type Turn } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { followHandedOver } from "./follow-carried.js";
import { newTurn } from "./new-turn.js";
import { receiptEvent } from "./receipt-event.js";
import { stopTurn } from "./stop-turn.js";

/**
 * Resumes the last daemon's open turns: waiting ones continue to wait in order, running ones are watched again, and all others get an
 * outcome.
 */
export async function takeUpTurns(ctx: Context, pending: readonly SendEntry[]): Promise<void> {
  // A turn accepted during this query is this daemon's own.
  const open = (await ctx.turnJournal.open()).filter(
    ({ id, session_id }) => !ctx.turns.lane(session_id).open.some((turn) => turn.id === id),
  );
  ctx.turns.takeUp(open, ctx.clock.now());
  for (const entry of pending) await joinSend(ctx, { entry, known: open.some(({ id }) => id === entry.id) });
  for (const turn of open) {
    if (pending.every(({ id }) => id !== turn.id)) await takeUp(ctx, turn);
  }
}

/** A send accepted just before the last daemon ended may have no turn yet. */
async function joinSend(ctx: Context, { entry, known }: { readonly entry: SendEntry; readonly known: boolean }): Promise<void> {
  const { id, session_id } = entry;
  if (!known && (await ctx.turnJournal.get(session_id, id)) === null) {
    const record = await recordOf(ctx, session_id);
    const text = (await ctx.sends.text(entry)) ?? "";
    const generation = await ctx.turns.nextGeneration(session_id);
    const turn = newTurn({ entry, text, project: record?.project_id ?? DEFAULT_PROJECT, generation, lane: ctx.turns.lane(session_id) });
    ctx.turns.apply(session_id, { type: "accepted", turn });
  }
  if (entry.step !== "accepted") ctx.turns.apply(session_id, { type: "delivering", id });
}

async function takeUp(ctx: Context, turn: Turn): Promise<void> {
  const { id, session_id, generation, cause } = turn;
  if (turn.state !== "running" && !isHandedOver(turn)) {
    const entry = (await ctx.sends.list(session_id)).find((send) => send.id === id);
    const event = entry?.receipt ? receiptEvent(turn, { receipt: entry.receipt, enteredAt: entry.updated_at }) : null;
    ctx.turns.apply(session_id, event ?? { type: "failed", id, reason: "daemon_ended", receipt: entry?.receipt ?? null });
  }
  const record = await recordOf(ctx, session_id);
  if (record !== null && (record.state === "active" || record.state === "provisioning" || record.intent !== null)) {
    if (cause !== null) stopAgain(ctx, { session: session_id, generation });
    else if (isHandedOver(turn)) followHandedOver(ctx, { record, turn });
    return;
  }
  const closing = closingOf(record);
  if (closing !== null) ctx.turns.apply(session_id, { type: "closing", cause: closing });
  ctx.turns.apply(session_id, { type: "gone" });
}

/** The cause of the session's end, from its record. */
function closingOf(record: SessionRecord | null): "admin_kill" | "session_removed" | null {
  if (record === null || record.state === "decommissioned" || record.state === "deleted") return "session_removed";
  return record.stop_cause === "deliberate" ? "admin_kill" : null;
}

function stopAgain(ctx: Context, { session, generation }: { readonly session: string; readonly generation: number }): void {
  stopTurn(ctx, { session, generation, graceMs: ctx.settings.cancelGraceMs }).catch((error: unknown) =>
    ctx.report({ doing: `cancelling a turn of session ${session}`, error }),
  );
}

async function recordOf(ctx: Context, id: string): Promise<SessionRecord | null> {
  try {
    return await findSession(ctx, id);
  } catch (error) {
    if (hasCode(error, "SESSION_NOT_FOUND")) return null;
    throw error;
  }
}
