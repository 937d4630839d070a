import type { Receipt, Turn } from "@tmpm/core";
import type { Context } from "../context.js";
import { receiptOf } from "../delivery/receipt.js";
import { factsOf } from "../facts.js";
import type { Created } from "../operations/create.js";
import { turnReceipt } from "../turns/turn-receipt.js";

export interface Before {
  readonly id: string;
  /** The request has a first prompt. */
  readonly prompted: boolean;
}

/**
 * The session created by an earlier request for this id that a crash interrupted, once no operation on it is pending.
 * Null when nothing of it is left.
 */
export async function createdBefore(ctx: Context, { id, prompted }: Before): Promise<Created | null> {
  await ctx.recovered();
  const entry = await ctx.queue.run(id, () => ctx.store.get(id));
  if (entry?.kind !== "session") return null;
  const first = prompted ? await firstTurn(ctx, id) : null;
  const receipt = first === null ? null : await receiptOfFirst(ctx, first);
  return { session: factsOf(ctx, entry.record), receipt, turn_id: first?.id ?? null, evicted: [], notes: [] };
}

/** Null when the prompt was never accepted. */
async function firstTurn(ctx: Pick<Context, "turns">, id: string): Promise<Turn | null> {
  const [first] = await ctx.turns.list(id, { from: 1, limit: 1 });
  return first?.generation === 1 ? first : null;
}

/** The launch passed the prompt, or a send typed it. */
async function receiptOfFirst(ctx: Pick<Context, "sends">, first: Turn): Promise<Receipt> {
  const send = (await ctx.sends.list(first.session_id)).find((entry) => entry.id === first.id);
  const receipt = (send === undefined ? turnReceipt(first) : first.receipt) ?? send?.receipt ?? null;
  if (receipt !== null) return receipt;
  const about = { id: send?.id ?? null, bytes: first.prompt_bytes };
  if (first.state !== "ended") return receiptOf({ outcome: "held", reason: "accepted", evidence: ["it is in progress"] }, about);
  return receiptOf({ outcome: "unconfirmed", reason: "interrupted", evidence: ["the daemon ended while it was being sent"] }, about);
}
