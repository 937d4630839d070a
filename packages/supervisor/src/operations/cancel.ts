import { runningTurns, type SessionRecord, TmpmError, type Turn } from "@tmpm/core";
import type { Context } from "../context.js";
import { findSession } from "../find-session.js";
import { findTurn } from "../turns/find-turn.js";
import { requireWaiting } from "../turns/require-waiting.js";
import { stopTurn } from "../turns/stop-turn.js";
import { type TurnFacts, turnFacts } from "../turns/turn-facts.js";

export interface CancelInput {
  readonly session: string;
  /** Its id, a prefix of it, or its key; the running turn by default. */
  readonly turn?: string | undefined;
  /** Only while it waits. */
  readonly waiting?: boolean | undefined;
  /** Grace period for the agent to stop, in ms. */
  readonly grace_ms?: number | undefined;
}

/**
 * Cancels a turn, and resolves with its outcome: a waiting one at once, a running one as the agent's adapter defines. A turn that is over
 * is not affected, nor the one after it.
 * @throws INVALID_STATE for a turn that no longer waits, if required, TURN_NOT_ACTIVE, TURN_NOT_FOUND, TMUX_UNRESPONSIVE with the turn
 * continuing, and the errors of `findSession`
 */
export async function cancel(ctx: Context, input: CancelInput): Promise<TurnFacts> {
  await ctx.recovered();
  const record = await findSession(ctx, input.session);
  const turn = input.turn === undefined ? requireRunning(ctx, record) : await findTurn(ctx, { session: record, turn: input.turn });
  requireOpen(record, turn);
  if (input.waiting === true) requireWaiting(ctx, { record, turn });
  const { generation } = turn;
  const changed = ctx.turns.apply(record.id, { type: "cancelling", generation, cause: "client_rpc" });
  if (changed.length === 0) requireOpen(record, { ...turn, state: "ended" });
  await stopTurn(ctx, { session: record.id, generation, graceMs: input.grace_ms ?? ctx.settings.cancelGraceMs });
  await ctx.turns.settled(record.id);
  return turnFacts(ctx, (await ctx.turns.get(record.id, turn.id)) ?? turn);
}

function requireRunning(ctx: Pick<Context, "observations" | "turns">, { id, name }: SessionRecord): Turn {
  const lane = ctx.turns.lane(id);
  const turn = runningTurns(lane)[0] ?? lane.open.find(({ state }) => state === "delivering");
  if (turn !== undefined) return turn;
  throw new TmpmError("TURN_NOT_ACTIVE", `session ${name} has no running turn`, {
    hint: idleHint(ctx, { id, name }),
    details: { session: id },
  });
}

function requireOpen({ id, name }: SessionRecord, turn: Turn): void {
  if (turn.state !== "ended") return;
  throw new TmpmError("TURN_NOT_ACTIVE", `turn ${turn.id} of session ${name} is over`, {
    hint: `\`tmpm turns ${name} ${turn.id.slice(0, 8)}\` shows its outcome.`,
    details: { session: id, turn: turn.id, outcome: turn.outcome, cause: turn.cause },
  });
}

/** A turn that hit a usage limit is over, though its agent may still ask how to continue. */
function idleHint(ctx: Pick<Context, "observations" | "turns">, { id, name }: Pick<SessionRecord, "id" | "name">): string {
  if ((ctx.observations.get(id)?.reading.leave ?? null) !== null) return `\`tmpm interrupt ${name}\` closes what it shows.`;
  return ctx.turns.lane(id).open.length === 0 ? `\`tmpm turns ${name}\` lists its turns.` : `\`tmpm queue ${name}\` lists queued turns.`;
}
