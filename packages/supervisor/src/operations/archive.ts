import { invalidState, type SessionState, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { type AsSeen, requireRev } from "../require-rev.js";
import { requireSettled } from "../require-settled.js";

const FROM: readonly SessionState[] = ["stopped", "errored", "decommissioned", "deleted"];

/** Archives a session that is not running; it is still found by its name, and resuming unarchives it. Idempotent. @throws INVALID_STATE */
export async function archive(ctx: Context, input: AsSeen & { readonly session: string }): Promise<SessionFacts> {
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    const record = await findSession(ctx, id);
    requireRev(record, input);
    if (!FROM.includes(record.state)) throw invalidState(record, { verb: "archive", allowed: FROM });
    requireSettled(record, "archive");
    await putAway(ctx, { id, reason: "asked" });
    return factsOf(ctx, record);
  });
}

/** Likewise for a record that may be archived, with the reason. */
export async function putAway(
  ctx: Pick<Context, "clock" | "emit" | "store">,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<void> {
  const before = await ctx.store.get(id);
  if (before?.kind === "session" && before.archived) return;
  await ctx.store.archive(id);
  ctx.emit({ type: "session_archived", at: timestampFromMs(ctx.clock.now()), session_id: id, reason });
}
