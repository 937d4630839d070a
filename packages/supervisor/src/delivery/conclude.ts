import { type ErrorCode, type Receipt, type SendEntry, type Timestamp, type Turn, type TurnEvent, timestampFromMs } from "@tmpm/core";
import { reopenComments } from "../comments/reopen-comments.js";
import type { Context } from "../context.js";
import { noticeTurns } from "../turns/notice.js";
import { receiptEvent } from "../turns/receipt-event.js";
import { receiptOf, type Verdict } from "./receipt.js";
import type { Running } from "./running.js";

/** Records the step of the send, before it continues. @throws the errors of `SendJournal.note` */
export async function note(
  ctx: Pick<Context, "clock" | "sends">,
  noted: { readonly running: Running; readonly change: Partial<SendEntry> },
): Promise<void> {
  const { running, change } = noted;
  const entry = { ...running.entry(), ...change, updated_at: timestampFromMs(ctx.clock.now()) };
  await ctx.sends.note(entry);
  running.noted(entry);
}

/** For a text that is already there. Without this note a crash is reported as `unconfirmed` instead of by the screen. */
export async function noteOrReport(
  ctx: Pick<Context, "clock" | "report" | "sends">,
  noted: { readonly running: Running; readonly change: Partial<SendEntry> },
): Promise<void> {
  try {
    await note(ctx, noted);
  } catch (error) {
    ctx.report({ doing: "recording the progress of a delivery", error });
  }
}

export interface Conclusion {
  readonly running: Running;
  readonly verdict: Verdict;
  readonly altered?: string | null;
  /** The error's code, after a failure of the delivery itself. */
  readonly fault?: ErrorCode;
}

/**
 * Gives a send its receipt and reports it. The outcome stands even if the journal fails, which is reported. One that continues later only
 * returns it.
 */
export async function conclude(ctx: Context, { running, verdict, altered = null, fault }: Conclusion): Promise<Receipt> {
  const { id, bytes } = running.entry();
  const changes = [altered, verdict.altered ?? null].filter((change) => change !== null);
  const receipt = receiptOf(verdict, { id, bytes, altered: changes.length === 0 ? null : changes.join("; ") });
  if (receipt.outcome === "held") return receipt;
  const enteredAt = running.entry().updated_at;
  const change = { step: "done", screen: null, receipt, left: verdict.left ?? null } as const;
  try {
    await note(ctx, { running, change });
  } catch (error) {
    ctx.report({ doing: `recording the outcome of send ${id}`, error });
    running.noted({ ...running.entry(), ...change });
  }
  reportTurn(ctx, { running, receipt, enteredAt, fault });
  if (receipt.outcome === "refused") await reopenComments(ctx, { session: running.session, sendId: id });
  await ctx.reached("send.recorded");
  emitReceipt(ctx, { session: running.session, receipt });
  return receipt;
}

interface Outcome {
  readonly running: Running;
  readonly receipt: Receipt;
  readonly enteredAt: Timestamp;
  readonly fault: ErrorCode | undefined;
}

/** The agent may be ready again by the time that the receipt is written. */
function reportTurn(ctx: Context, { running, receipt, enteredAt, fault }: Outcome): void {
  const { session, id } = running;
  const turn = ctx.turns.lane(session).open.find((open) => open.id === id);
  const event = turn === undefined ? null : turnEvent(turn, { receipt, enteredAt, fault });
  if (event === null) return;
  ctx.turns.apply(session, event);
  const { open } = ctx.observations.known(session).asked;
  if (event.type === "started" && open !== null) ctx.turns.waits(session, open.id);
  noticeTurns(ctx, session);
}

function turnEvent(turn: Turn, { receipt, enteredAt, fault }: Omit<Outcome, "running">): TurnEvent | null {
  if (fault === undefined) return receiptEvent(turn, { receipt, enteredAt });
  return { type: "failed", id: turn.id, reason: "fault", code: fault, receipt };
}

/** Every text ends in exactly one such event. */
export function emitReceipt(
  ctx: Pick<Context, "clock" | "emit" | "requests">,
  { session, receipt }: { readonly session: string; readonly receipt: Receipt },
): void {
  ctx.requests.sweep.notify();
  ctx.emit({
    type: "session_text_sent",
    at: timestampFromMs(ctx.clock.now()),
    session_id: session,
    outcome: receipt.outcome,
    reason: receipt.reason,
    bytes: receipt.bytes,
    ...(receipt.id === null ? {} : { send_id: receipt.id }),
  });
}
