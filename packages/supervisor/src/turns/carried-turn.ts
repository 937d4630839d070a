import { type SessionRecord, type Turn, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { digestOf } from "../delivery/digest-of.js";
import { utf8Bytes } from "../delivery/receipt.js";
import { newTurn } from "./new-turn.js";

/** The turn of a prompt that an agent was launched with: it runs from the launch, and its receipt follows. */
export async function beginCarriedTurn(
  ctx: Context,
  { record, text }: { readonly record: SessionRecord; readonly text: string },
): Promise<Turn> {
  const { id: session, project_id: project } = record;
  const at = timestampFromMs(ctx.clock.now());
  const flags = { key: null, one_at_a_time: false, now: false, interrupt: false };
  const entry = { ...flags, id: ctx.newId(), session_id: session, digest: digestOf(text), bytes: utf8Bytes(text), accepted_at: at };
  const generation = await ctx.turns.nextGeneration(session);
  const turn = newTurn({ entry, text, project, generation, lane: ctx.turns.lane(session) });
  ctx.turns.apply(session, { type: "accepted", turn });
  ctx.turns.apply(session, { type: "started", id: turn.id, at, receipt: null });
  return turn;
}
