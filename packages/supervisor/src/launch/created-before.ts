import type { Receipt } from "@tmpm/core";
import type { Context } from "../context.js";
import { receiptOf, utf8Bytes } from "../delivery/receipt.js";
import { factsOf } from "../facts.js";
import type { Created } from "../operations/create.js";

/**
 * The session created by an earlier request for this id that a crash interrupted, once no operation on it is pending.
 * Null when nothing of it is left.
 */
export async function createdBefore(ctx: Context, id: string): Promise<Created | null> {
  await ctx.recovered();
  const entry = await ctx.queue.run(id, () => ctx.store.get(id));
  if (entry?.kind !== "session") return null;
  return { session: factsOf(ctx, entry.record), receipt: await firstReceipt(ctx, { id, task: entry.record.task }), evicted: [], notes: [] };
}

async function firstReceipt(ctx: Context, { id, task }: { readonly id: string; readonly task: string }): Promise<Receipt | null> {
  if (task === "") return null;
  const first = (await ctx.sends.list(id)).at(-1);
  if (first?.receipt !== undefined && first.receipt !== null) return first.receipt;
  const evidence = ["the daemon ended while it was being sent"];
  return receiptOf(
    { outcome: "unconfirmed", reason: "interrupted", evidence },
    { id: first?.id ?? null, bytes: first?.bytes ?? utf8Bytes(task) },
  );
}
