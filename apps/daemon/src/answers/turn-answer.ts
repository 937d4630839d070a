import type { QueueAnswer, TurnAnswer, TurnList } from "@tmpm/api";
import type { Queue, QueuePlace, TurnFacts } from "@tmpm/supervisor";

export function turnAnswer({ turn, state, decision_id, position, held }: TurnFacts): TurnAnswer {
  return {
    ...turn,
    attachments: [...turn.attachments],
    state,
    decision_id,
    position,
    held: held === null ? null : { ...held, evidence: [...held.evidence] },
  };
}

/** A full page may be followed by more. */
export function turnList(
  turns: readonly TurnFacts[],
  { from, limit }: { readonly from?: number | undefined; readonly limit: number },
): TurnList {
  const last = turns.at(-1)?.turn.generation;
  const isFull = from !== undefined && last !== undefined && turns.length === limit;
  return { turns: turns.map(turnAnswer), next: isFull ? last + 1 : null };
}

export function queueAnswer({ running, waiting, depth, limit }: Queue): QueueAnswer {
  return { running: running.map(turnAnswer), waiting: waiting.map(turnAnswer), depth, limit };
}

export interface Place {
  readonly to?: "front" | "back" | undefined;
  readonly position?: number | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The contract requires exactly one of them. */
export function placeOf({ to, position, before, after }: Place): QueuePlace {
  if (position !== undefined) return { position };
  if (before !== undefined) return { before };
  if (after !== undefined) return { after };
  return { to: to ?? "back" };
}
