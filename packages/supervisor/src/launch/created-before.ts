import type { Receipt } from "@tmpm/core";
import type { Context } from "../context.js";
import { receiptOf } from "../delivery/receipt.js";
import { factsOf } from "../facts.js";
import type { Created } from "../operations/create.js";

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
  return { session: factsOf(ctx, entry.record), receipt: prompted ? await firstReceipt(ctx, id) : null, evicted: [], notes: [] };
}

/** Of its first turn, which the launch passed or a send typed; null when the prompt was never accepted. */
async function firstReceipt(ctx: Context, id: string): Promise<Receipt | null> {
  const [first] = await ctx.turns.list(id, { from: 1, limit: 1 });
  if (first?.generation !== 1) return null;
  const send = (await ctx.sends.list(id)).find((entry) => entry.id === first.id);
  const receipt = first.receipt ?? send?.receipt ?? null;
  if (receipt !== null) return receipt;
  const about = { id: send?.id ?? null, bytes: first.prompt_bytes };
  if (first.state !== "ended") return receiptOf({ outcome: "held", reason: "accepted", evidence: ["it is in progress"] }, about);
  return receiptOf({ outcome: "unconfirmed", reason: "interrupted", evidence: ["the daemon ended while it was being sent"] }, about);
}
