import { parseText, type Receipt, type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { deliver } from "../deliver.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { paneOf } from "../observe.js";
import { requireActive } from "../require-active.js";

/** Sends text to a session and says what became of it. @throws INVALID_TEXT, TEXT_TOO_LARGE, INVALID_STATE, SESSION_BUSY, SESSION_BLOCKED, and what the driver throws */
export async function send(
  ctx: Context,
  input: { readonly session: string; readonly text: string; readonly now?: boolean | undefined },
): Promise<{ readonly receipt: Receipt; readonly session: SessionFacts }> {
  const text = parseText(input.text);
  const { id } = await requireActive(ctx, { session: input.session, verb: "send to" });
  return ctx.queue.run(id, async () => {
    const record = await requireActive(ctx, { session: id, verb: "send to" });
    const receipt = await deliver(ctx, { record, adapter: ctx.agent(record.agent), text, now: input.now ?? false });
    ctx.bell.ring();
    ctx.emit({
      type: "session_text_sent",
      at: timestampFromMs(ctx.clock.now()),
      session_id: id,
      outcome: receipt.outcome,
      bytes: receipt.bytes,
    });
    return { receipt, session: factsOf(ctx, await touch(ctx, record)) };
  });
}

/** Presses keys by tmux's names. @throws INVALID_ARGUMENT, INVALID_STATE, and what the driver throws */
export async function keys(ctx: Context, input: { readonly session: string; readonly keys: readonly string[] }): Promise<SessionFacts> {
  const { id } = await requireActive(ctx, { session: input.session, verb: "press keys in" });
  return ctx.queue.run(id, async () => {
    const record = await requireActive(ctx, { session: id, verb: "press keys in" });
    await ctx.driver.keys(paneOf(record), input.keys);
    ctx.bell.ring();
    return factsOf(ctx, await touch(ctx, record));
  });
}

/** The text is delivered whatever the store says, so a failing store is reported and does not fail the send. */
async function touch(ctx: Context, record: SessionRecord): Promise<SessionRecord> {
  const now = timestampFromMs(ctx.clock.now());
  try {
    return await ctx.store.update(record.id, (current) => ({ ...current, last_activity_at: now, updated_at: now }));
  } catch (error) {
    ctx.report({ doing: `noting that session ${record.name} received input`, error });
    return record;
  }
}
