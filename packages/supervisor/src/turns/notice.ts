import { msFromTimestamp, runningTurns, type Turn, type TurnEnd } from "@tmpm/core";
import type { Context } from "../context.js";

/** An agent idle for this long is not between two steps. */
const STEADY_MS = 150;

/** How long after the previous turn an agent starts on a prompt accepted meanwhile, unless it answers both at once. */
const NEXT_MS = 5_000;

/** Idle time after which an agent without any sign of a prompt has not started on it. */
const UNBEGUN_MS = 45_000;

/**
 * Ends the running turns of a session whose agent is seen or reported to be ready again. Evidence from before a turn began does not count,
 * and neither does a dialog.
 */
export function noticeTurns(ctx: Context, session: string): void {
  for (const turn of runningTurns(ctx.turns.lane(session))) {
    const how = restOf(ctx, turn);
    if (how === "unsteady") ctx.requests.observe.notify(session);
    else if (how !== null)
      ctx.turns.apply(session, { type: "ended", generation: turn.generation, how, note: noteOf(ctx, { session, how }) });
  }
}

/** The agent's own error message. */
function noteOf(ctx: Pick<Context, "observations">, { session, how }: { readonly session: string; readonly how: TurnEnd }): string | null {
  const { belief } = ctx.observations.known(session).track;
  if (how === "limit_reached") return belief?.limit?.message ?? null;
  return how === "agent_errored" ? (belief?.evidence[0] ?? null) : null;
}

/** A turn may be over, once the agent has been idle a little longer. */
export function mayBeOver(ctx: Pick<Context, "clock" | "observations" | "turns">, session: string): boolean {
  return runningTurns(ctx.turns.lane(session)).some((turn) => restOf(ctx, turn) === "unsteady");
}

function restOf(ctx: Pick<Context, "clock" | "observations" | "turns">, turn: Turn): TurnEnd | "unsteady" | null {
  const { id, session_id, started_at } = turn;
  const { belief, level, begunMs } = ctx.observations.known(session_id).track;
  if (started_at === null || belief === null) return null;
  const takenUpMs = ctx.turns.takenUpMs(id);
  const startedMs = msFromTimestamp(started_at);
  const sinceMs = Math.max(startedMs, takenUpMs ?? 0);
  // Whether a program known only by its process works or waits cannot be determined.
  if (level?.state === "unknown" && level.source === "process" && level.atMs >= sinceMs)
    return begunMs >= startedMs ? "ready" : "unobservable";
  // The prompt will not be answered before the limit resets, whether the agent is idle, asks how to continue, or waits.
  const limited = belief.limit !== null && belief.state !== "working";
  if (!(limited || rests(ctx, session_id)) || msFromTimestamp(belief.observed_at) < sinceMs) return null;
  if (belief.source !== "hook" && belief.source !== "protocol" && ctx.clock.now() - msFromTimestamp(belief.since) < STEADY_MS)
    return "unsteady";
  if (turn.receipt?.outcome !== "submitted" && !hasWorked(ctx, { session: session_id, sinceMs: startedMs })) {
    return ctx.clock.now() - Math.max(startedMs, msFromTimestamp(belief.since)) < UNBEGUN_MS ? null : "not_confirmed";
  }
  if (limited) return "limit_reached";
  if (mayBeginNext(ctx, turn)) return "unsteady";
  if (belief.state === "errored") return "agent_errored";
  return takenUpMs !== null && begunMs < takenUpMs ? "ended_while_away" : "ready";
}

/** The idle state that ended the previous turn does not count for this one yet, whose prompt waits in the agent's own queue. */
function mayBeginNext(ctx: Pick<Context, "clock" | "observations" | "turns">, { id, session_id }: Turn): boolean {
  const followsMs = ctx.turns.followsMs(id);
  const { belief } = ctx.observations.known(session_id).track;
  if (followsMs === null || belief === null || msFromTimestamp(belief.since) > followsMs) return false;
  return ctx.clock.now() - followsMs < NEXT_MS;
}

function hasWorked(
  ctx: Pick<Context, "observations">,
  { session, sinceMs }: { readonly session: string; readonly sinceMs: number },
): boolean {
  return ctx.observations.known(session).track.account.some(({ state, lastMs }) => state === "working" && lastMs >= sinceMs);
}

function rests(ctx: Pick<Context, "observations">, session: string): boolean {
  const { belief, level } = ctx.observations.known(session).track;
  if (belief?.state === "idle" || belief?.state === "errored") return true;
  // Some agents end with a question, and accept any text as its answer. A hook reports a question before the screen shows whether it leaves
  // an input.
  const seen = ctx.observations.get(session)?.reading;
  return belief?.state === "awaiting_input" && level?.state === "awaiting_input" && seen?.state === "awaiting_input" && seen.draft === "";
}
