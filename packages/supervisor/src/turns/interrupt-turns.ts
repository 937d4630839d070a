import { type CancelCause, runningTurns } from "@tmpm/core";
import type { Context } from "../context.js";
import { type Interrupted, interruptFirst, isInterruptible } from "../delivery/interrupt-first.js";

export type Interruption = Parameters<typeof interruptFirst>[1] & {
  /** Why the running turns end. */
  readonly cause: CancelCause;
};

/**
 * Interrupts the agent's work, and cancels its running turns, unless it continues. Null when it does. The caller holds the session's queue.
 */
export async function interruptTurns(ctx: Context, { cause, ...session }: Interruption): Promise<Interrupted | null> {
  const { id } = session.record;
  const works = session.look.reading.state === "working" && isInterruptible(ctx, session);
  const turns = works ? runningTurns(ctx.turns.lane(id)).filter((turn) => turn.cause === null) : [];
  for (const { generation } of turns) ctx.turns.apply(id, { type: "cancelling", generation, cause });
  let ended: Interrupted | null = null;
  try {
    ended = await interruptFirst(ctx, session);
    return ended;
  } finally {
    for (const { generation } of turns) {
      ctx.turns.apply(id, ended === null ? { type: "spared", generation, cause } : { type: "ended", generation, how: "ready" });
    }
  }
}
