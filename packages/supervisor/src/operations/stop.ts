import type { Context } from "../context.js";
import { finishFirst } from "../discovery/finish-interrupted.js";
import { findSession } from "../find-session.js";
import { type Stopped, type StopReason, stopNow } from "../launch/stop-now.js";
import { type AsSeen, requireRev } from "../require-rev.js";

/**
 * Asks the agent to exit, ends its whole process tree, proves it gone; keeps record and directory. Idempotent, and also possible with a
 * full disk. @throws INVALID_STATE for finished sessions
 */
export async function stop(
  ctx: Context,
  input: AsSeen & { readonly session: string; readonly grace_ms?: number | undefined; readonly reason?: StopReason },
): Promise<Stopped> {
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    const before = await findSession(ctx, id);
    requireRev(before, input);
    await finishFirst(ctx, before);
    return stopNow(ctx, {
      id,
      graceMs: input.grace_ms ?? ctx.settings.graceMs,
      ...(input.reason === undefined ? {} : { reason: input.reason }),
    });
  });
}
