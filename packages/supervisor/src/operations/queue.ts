import { isHandedOver, laneDepth, type SessionRecord, type Turn, waitingTurns } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { findTurn } from "../turns/find-turn.js";
import { requireWaiting } from "../turns/require-waiting.js";
import { type TurnFacts, turnFacts } from "../turns/turn-facts.js";

export interface Queue {
  /** Turns running or being typed. */
  readonly running: readonly TurnFacts[];
  /** Waiting turns, next first. */
  readonly waiting: readonly TurnFacts[];
  /** Used part of `limit`: waiting turns, plus one if any runs. */
  readonly depth: number;
  readonly limit: number;
}

/** A session's running and queued turns. @throws the errors of `findSession` */
export async function queue(ctx: Context, input: { readonly session: string }): Promise<Queue> {
  await ctx.recovered();
  return queueOf(ctx, await findSession(ctx, input.session));
}

/** The turn's new place: `position` counts from 1. */
export type QueuePlace =
  | { readonly to: "front" | "back" }
  | { readonly position: number }
  | { readonly before: string }
  | { readonly after: string };

/** Moves a waiting turn. @throws INVALID_STATE for one that does not wait, TURN_NOT_FOUND, and the errors of `findSession` */
export async function moveTurn(
  ctx: Context,
  input: { readonly session: string; readonly turn: string; readonly place: QueuePlace },
): Promise<Queue> {
  await ctx.recovered();
  const record = await findSession(ctx, input.session);
  const turn = await findTurn(ctx, { session: record, turn: input.turn });
  const { place } = input;
  const other = "before" in place ? place.before : "after" in place ? place.after : null;
  const beside = other === null ? null : await findTurn(ctx, { session: record, turn: other });
  for (const each of [turn, ...(beside === null ? [] : [beside])]) requireWaiting(ctx, { record, turn: each });
  const rest = waitingTurns(ctx.turns.lane(record.id)).filter(({ id }) => id !== turn.id);
  for (const moved of placesAt(rest, { turn, index: indexOf(rest, { place, beside }) }))
    ctx.turns.apply(record.id, { type: "moved", ...moved });
  return queueOf(ctx, record);
}

/** Cancels all queued turns; the running one continues. @throws the errors of `findSession` */
export async function clearQueue(ctx: Context, input: { readonly session: string }): Promise<readonly TurnFacts[]> {
  await ctx.recovered();
  const { id } = await findSession(ctx, input.session);
  const waiting = waitingTurns(ctx.turns.lane(id)).filter((turn) => !isHandedOver(turn));
  const cleared = waiting.flatMap(({ generation }) => ctx.turns.apply(id, { type: "cancelling", generation, cause: "client_rpc" }));
  await ctx.turns.settled(id);
  return cleared.map((turn) => turnFacts(ctx, turn));
}

function queueOf(ctx: Context, { id }: SessionRecord): Queue {
  const lane = ctx.turns.lane(id);
  return {
    running: lane.open.filter(({ state }) => state !== "queued").map((turn) => turnFacts(ctx, turn)),
    waiting: waitingTurns(lane).map((turn) => turnFacts(ctx, turn)),
    depth: laneDepth(lane),
    limit: ctx.settings.queueDepth,
  };
}

function indexOf(rest: readonly Turn[], { place, beside }: { readonly place: QueuePlace; readonly beside: Turn | null }): number {
  if ("to" in place) return place.to === "front" ? 0 : rest.length;
  if ("position" in place) return Math.min(Math.max(place.position - 1, 0), rest.length);
  const at = rest.findIndex(({ id }) => id === beside?.id);
  if (at < 0) return rest.length;
  return "before" in place ? at : at + 1;
}

interface Placed {
  readonly id: string;
  readonly place: number;
}

/** A number between those of two others if there is one; otherwise all are renumbered. */
function placesAt(rest: readonly Turn[], { turn, index }: { readonly turn: Turn; readonly index: number }): readonly Placed[] {
  const low = rest[index - 1]?.place ?? (rest[0]?.place ?? turn.place) - 2;
  const high = rest[index]?.place ?? low + 2;
  const place = (low + high) / 2;
  if (place > low && place < high) return [{ id: turn.id, place }];
  const first = Math.floor(rest[0]?.place ?? 0);
  return rest.toSpliced(index, 0, turn).map(({ id }, offset) => ({ id, place: first + offset }));
}
