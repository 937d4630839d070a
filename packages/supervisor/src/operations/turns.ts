import { msFromTimestamp, type SessionRecord, type Turn } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { findTurn } from "../turns/find-turn.js";
import { type TurnFacts, turnFacts } from "../turns/turn-facts.js";

export interface TurnsInput {
  readonly session: string;
  /** The first generation; by default the newest are returned. */
  readonly from?: number | undefined;
  readonly limit?: number | undefined;
}

/** The turns of a session, oldest first; a slice beyond the end is empty. @throws the errors of `findSession` */
export async function turns(ctx: Context, input: TurnsInput): Promise<readonly TurnFacts[]> {
  await ctx.recovered();
  const { id } = await findSession(ctx, input.session);
  const { from, limit } = input;
  const slice = { ...(from === undefined ? {} : { from }), ...(limit === undefined ? {} : { limit }) };
  return (await ctx.turns.list(id, slice)).map((turn) => turnFacts(ctx, turn));
}

export interface TurnInput {
  readonly session: string;
  /** Its id, a prefix of it, or its key. */
  readonly turn: string;
  /** Returns when it has ended, or after this time. */
  readonly wait_ms?: number | undefined;
  /** Ends the wait early. */
  readonly signal?: AbortSignal | undefined;
}

/** Events report most changes; polling finds the rest. */
const RELOOK_MS = 2_000;
const RESTING_MS = 200;

/**
 * The current state of a turn, or with `wait_ms` its state at its end or at the timeout. @throws TURN_NOT_FOUND, and the errors of
 * `findSession`
 */
export async function turn(ctx: Context, { session, turn: wanted, wait_ms = 0, signal }: TurnInput): Promise<TurnFacts> {
  await ctx.recovered();
  const record = await findSession(ctx, session);
  let found = await findTurn(ctx, { session: record, turn: wanted });
  const deadline = ctx.clock.now() + wait_ms;
  const changes = ctx.changes.listen([record.id]);
  signal?.addEventListener("abort", changes.ring, { once: true });
  try {
    for (;;) {
      const left = deadline - ctx.clock.now();
      if (found.state === "ended" || left <= 0 || signal?.aborted === true) return turnFacts(ctx, found);
      await changes.next(Math.max(1, Math.min(left, pauseMs(ctx, found))));
      await observeAgain(ctx, { record, turn: found });
      found = (await ctx.turns.get(record.id, found.id)) ?? found;
    }
  } finally {
    signal?.removeEventListener("abort", changes.ring);
    changes.close();
  }
}

function pauseMs(ctx: Pick<Context, "observations">, { session_id, state }: Turn): number {
  const belief = ctx.observations.known(session_id).track.belief?.state;
  return state === "running" && (belief === "idle" || belief === "errored") ? RESTING_MS : RELOOK_MS;
}

async function observeAgain(
  ctx: Pick<Context, "clock" | "looks" | "observations">,
  { record, turn: { state } }: { readonly record: SessionRecord; readonly turn: Turn },
): Promise<void> {
  if (state !== "running") return;
  const seen = ctx.observations.get(record.id)?.activity.observed_at;
  const due = seen === undefined ? 0 : msFromTimestamp(seen) + RESTING_MS;
  if (ctx.clock.now() >= due) await ctx.looks.since(record.id, due);
}
