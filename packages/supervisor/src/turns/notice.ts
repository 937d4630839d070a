import { msFromTimestamp, runningTurns, type Turn, type TurnEnd } from "@tmpm/core";
import type { Context } from "../context.js";

/** An agent that has been idle this long does not only take breath between two steps. */
const STEADY_MS = 150;

/**
 * Ends the running turns of a session whose agent is seen or heard to be ready again. What was so before a turn began says nothing of it, and neither does a
 * dialog.
 */
export function noticeTurns(ctx: Context, session: string): void {
  for (const turn of runningTurns(ctx.turns.lane(session))) {
    const how = restOf(ctx, turn);
    if (how === "unsteady") ctx.nudges.nudge(session);
    else if (how !== null) ctx.turns.apply(session, { type: "ended", generation: turn.generation, how });
  }
}

function restOf(ctx: Context, { id, session_id, started_at }: Turn): TurnEnd | "unsteady" | null {
  const { belief, level, begunMs } = ctx.observations.known(session_id).track;
  if (started_at === null || belief === null) return null;
  const takenUpMs = ctx.turns.takenUpMs(id);
  const startedMs = msFromTimestamp(started_at);
  const sinceMs = Math.max(startedMs, takenUpMs ?? 0);
  // Whether a program of which nothing but its process is read works or waits cannot be told.
  if (level?.state === "unknown" && level.source === "process" && level.atMs >= sinceMs)
    return begunMs >= startedMs ? "ready" : "unobservable";
  if (!rests(ctx, session_id) || msFromTimestamp(belief.observed_at) < sinceMs) return null;
  if (belief.source !== "hook" && ctx.clock.now() - msFromTimestamp(belief.since) < STEADY_MS) return "unsteady";
  if (belief.state === "errored") return "agent_errored";
  return takenUpMs !== null && begunMs < takenUpMs ? "ended_while_away" : "ready";
}

function rests(ctx: Context, session: string): boolean {
  const state = ctx.observations.known(session).track.belief?.state;
  if (state === "idle" || state === "errored") return true;
  // Some agents end with a question, and take any text for its answer.
  return state === "awaiting_input" && ctx.observations.get(session)?.reading.draft === "";
}
