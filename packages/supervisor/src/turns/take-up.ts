import { DEFAULT_PROJECT, isHandedOver, isTmpmError, type SendEntry, type SessionRecord, type Turn } from "@tmpm/core";
import type { Context } from "../context.js";
import { hasRecord, sessionRecord } from "../session-record.js";
import { isUnlaunched } from "./carried-turn.js";
import { failUnlaunched, followHandedOver } from "./follow-carried.js";
import { newTurn } from "./new-turn.js";
import { receiptEvent } from "./receipt-event.js";
import { stopTurn } from "./stop-turn.js";

/** A send of the last daemon. */
export interface LeftSend {
  readonly entry: SendEntry;
  /** Null when it is no longer stored or cannot be read. */
  readonly text: string | null;
}

/**
 * Resumes the last daemon's open turns: waiting ones continue to wait in order, running ones are watched again, and all others get an
 * outcome. Those of sessions without a record stay as they are. A repeated call resumes those that failed. @throws the first failure, after all the others are resumed
 */
export async function takeUpTurns(ctx: Context, pending: readonly LeftSend[]): Promise<void> {
  const left = await ctx.turnJournal.open();
  const open: Turn[] = [];
  for (const turn of left) if (!(await isKnown(ctx, turn)) && (await hasRecord(ctx, turn.session_id))) open.push(turn);
  ctx.turns.takeUp(open, ctx.clock.now());
  const failures: unknown[] = [];
  const attempt = async (task: () => Promise<void>, failed: () => void) => {
    try {
      await task();
    } catch (error) {
      failures.push(error);
      failed();
    }
  };
  for (const send of pending)
    await attempt(
      () => joinSend(ctx, send),
      () => undefined,
    );
  for (const turn of open) {
    if (pending.some(({ entry }) => entry.id === turn.id)) continue;
    await attempt(
      () => takeUp(ctx, turn),
      () => ctx.turns.abandon(turn.session_id, turn.id),
    );
  }
  if (failures.length > 0) throw failures[0];
}

/** A turn accepted during the query is this daemon's own, as is one whose outcome is not written yet. */
async function isKnown(ctx: Pick<Context, "turns">, { session_id, id }: Turn): Promise<boolean> {
  if (ctx.turns.lane(session_id).open.some((turn) => turn.id === id)) return true;
  return (await ctx.turns.get(session_id, id))?.state === "ended";
}

/** A send accepted just before the last daemon ended may have no turn yet. */
async function joinSend(ctx: Context, { entry, text }: LeftSend): Promise<void> {
  const { id, session_id } = entry;
  if ((await ctx.turns.get(session_id, id)) === null) {
    const kept = await sessionRecord(ctx, session_id);
    const project = kept.kind === "present" ? kept.record.project_id : DEFAULT_PROJECT;
    const generation = await ctx.turns.nextGeneration(session_id);
    ctx.turns.apply(session_id, {
      type: "accepted",
      turn: newTurn({ entry, text: text ?? "", project, generation, lane: ctx.turns.lane(session_id) }),
    });
  }
  if (entry.step !== "accepted") ctx.turns.apply(session_id, { type: "delivering", id });
}

async function takeUp(ctx: Context, turn: Turn): Promise<void> {
  const { id, session_id } = turn;
  if (isUnlaunched(turn)) failUnlaunched(ctx, { turn, error: { message: "the daemon ended before the launch" } });
  else if (turn.state !== "running" && !isHandedOver(turn)) {
    const entry = (await ctx.sends.list(session_id)).find((send) => send.id === id);
    const event = entry?.receipt ? receiptEvent(turn, { receipt: entry.receipt, enteredAt: entry.updated_at }) : null;
    ctx.turns.apply(session_id, event ?? { type: "failed", id, reason: "daemon_ended", receipt: entry?.receipt ?? null });
  }
  const kept = await sessionRecord(ctx, session_id);
  if (kept.kind === "unknown") {
    ctx.report({ doing: `resuming turn ${id}`, error: kept.error });
    return;
  }
  const record = kept.kind === "present" ? kept.record : null;
  if (record !== null && (record.state === "active" || record.state === "provisioning" || record.intent !== null)) {
    watchAgain(ctx, { record, turn });
    return;
  }
  const closing = closingOf(record);
  if (closing !== null) ctx.turns.apply(session_id, { type: "closing", cause: closing });
  ctx.turns.apply(session_id, { type: "gone" });
}

function watchAgain(ctx: Context, { record, turn }: { readonly record: SessionRecord; readonly turn: Turn }): void {
  try {
    if (turn.cause !== null) stopAgain(ctx, { session: record.id, generation: turn.generation });
    else if (isHandedOver(turn)) followHandedOver(ctx, { record, turn });
  } catch (error) {
    // An agent that is no longer described.
    if (!isTmpmError(error)) throw error;
    ctx.report({ doing: `following the first prompt of session ${record.name}`, error });
  }
}

/** The cause of the session's end, from its record. */
function closingOf(record: SessionRecord | null): "admin_kill" | "session_removed" | null {
  if (record === null || record.state === "decommissioned" || record.state === "deleted") return "session_removed";
  return record.stop_cause === "deliberate" ? "admin_kill" : null;
}

/** Completes a cancellation that the last daemon began. */
export function stopAgain(ctx: Context, { session, generation }: { readonly session: string; readonly generation: number }): void {
  stopTurn(ctx, { session, generation, graceMs: ctx.settings.cancelGraceMs }).catch((error: unknown) =>
    ctx.report({ doing: `cancelling a turn of session ${session}`, error }),
  );
}
