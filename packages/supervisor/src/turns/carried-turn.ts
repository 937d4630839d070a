import { type Receipt, type SessionRecord, type Turn, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { digestOf } from "../delivery/digest-of.js";
import { utf8Bytes } from "../delivery/receipt.js";
import { newTurn } from "./new-turn.js";

export interface CarriedPrompt {
  readonly id: string;
  readonly record: SessionRecord;
  readonly text: string;
  /** Held: the agent has the prompt and was not seen to start on it, or it is not launched yet. */
  readonly receipt: Receipt;
}

/** Whether a launch is to pass its prompt, and has not begun: no agent can have it. */
export function isUnlaunched({ state, receipt }: Turn): boolean {
  return state === "queued" && receipt?.reason === "accepted";
}

/** The turn of a prompt passed at launch. It waits until the agent is seen to start on it: a first-start dialog may come before. */
export async function acceptCarriedTurn(
  ctx: Pick<Context, "clock" | "turns">,
  { id, record, text, receipt }: CarriedPrompt,
): Promise<Turn> {
  const { id: session, project_id: project } = record;
  const at = timestampFromMs(ctx.clock.now());
  const flags = { key: null, one_at_a_time: false, now: false, interrupt: false };
  const entry = { ...flags, id, session_id: session, digest: digestOf(text), bytes: utf8Bytes(text), accepted_at: at };
  const generation = await ctx.turns.nextGeneration(session);
  const turn = { ...newTurn({ entry, text, project, generation, lane: ctx.turns.lane(session) }), receipt };
  ctx.turns.apply(session, { type: "accepted", turn });
  return turn;
}
