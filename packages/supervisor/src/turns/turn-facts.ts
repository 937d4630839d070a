import { isHandedOver, type SendReason, type Turn, type TurnState, waitingTurns } from "@tmpm/core";
import type { Context } from "../context.js";
import { isUnlaunched } from "./carried-turn.js";

/** The current state of a turn. */
export interface TurnFacts {
  readonly turn: Turn;
  /** `waiting_approval`: it runs, and the agent is waiting for a decision. */
  readonly state: TurnState | "waiting_approval";
  /** Id of the pending decision; null when there is none. */
  readonly decision_id: string | null;
  /** Position in the queue, from 1; null when it is not queued. */
  readonly position: number | null;
  /** Why it waits; null when it does not, or its turn is about to come. */
  readonly held: { readonly reason: SendReason; readonly evidence: readonly string[]; readonly hint: string | null } | null;
}

export function turnFacts(ctx: Pick<Context, "deliveries" | "observations" | "turns">, turn: Turn): TurnFacts {
  const decision = turn.state === "running" ? ctx.observations.known(turn.session_id).asked.open : null;
  const index = waitingTurns(ctx.turns.lane(turn.session_id)).findIndex(({ id }) => id === turn.id);
  return {
    turn,
    state: decision === null ? turn.state : "waiting_approval",
    decision_id: decision?.id ?? null,
    position: index < 0 ? null : index + 1,
    held: turn.state === "queued" ? (ctx.deliveries.get(turn)?.hold() ?? heldByAgent(ctx, turn)) : null,
  };
}

/** Why an agent has not started on the prompt passed at launch, or is not launched yet. */
function heldByAgent(ctx: Pick<Context, "observations">, turn: Turn): TurnFacts["held"] {
  if (turn.receipt === null || !(isHandedOver(turn) || isUnlaunched(turn))) return null;
  const { evidence, hint } = turn.receipt;
  if (isUnlaunched(turn)) return { reason: "starting", evidence, hint };
  const state = ctx.observations.get(turn.session_id)?.reading.state;
  return { reason: state === "blocked" || state === "awaiting_approval" ? "dialog" : "starting", evidence, hint };
}
