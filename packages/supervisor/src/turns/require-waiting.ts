import { isHandedOver, type SessionRecord, TmpmError, type Turn, waitingTurns } from "@tmpm/core";
import type { Context } from "../context.js";

/** @throws INVALID_STATE for a running or ended turn */
export function requireWaiting(
  ctx: Pick<Context, "turns">,
  { record, turn }: { readonly record: SessionRecord; readonly turn: Turn },
): void {
  if (waitingTurns(ctx.turns.lane(record.id)).some((each) => each.id === turn.id && !isHandedOver(each))) return;
  const what = turn.state === "ended" ? "is over" : isHandedOver(turn) ? "was given to the agent at its launch" : "is running";
  throw new TmpmError("INVALID_STATE", `turn ${turn.id} of session ${record.name} ${what}: only queued turns can be moved`, {
    details: { session: record.id, turn: turn.id, state: turn.state },
  });
}
