import type { CancelCause } from "@tmpm/core";
import type { Context } from "../context.js";

/**
 * Ends the program of a session, and with it the session's turns: queued ones at once, running ones when the program is gone. If it could
 * not be ended, running turns continue unchanged. The caller holds the session's queue.
 */
export async function closingTurns<T>(
  ctx: Pick<Context, "turns">,
  { session, cause }: { readonly session: string; readonly cause: CancelCause },
  end: () => Promise<T>,
): Promise<T> {
  ctx.turns.apply(session, { type: "closing", cause });
  try {
    const ended = await end();
    ctx.turns.apply(session, { type: "gone" });
    return ended;
  } catch (error) {
    ctx.turns.apply(session, { type: "reopened" });
    throw error;
  }
}
