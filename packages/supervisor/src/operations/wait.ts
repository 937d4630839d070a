import { hasCode, invalidState, type SessionRecord, TmpmError } from "@tmpm/core";
import { concludeIfEnded } from "../conclude.js";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { look } from "../observe.js";

export interface WaitInput {
  readonly session: string;
  /** `idle`: ready for input, seen twice in a row. `exited`: the program has ended. */
  readonly until: "idle" | "exited";
  readonly timeout_ms: number;
  /** Ends the wait early, as if its time had run out. */
  readonly signal?: AbortSignal | undefined;
}

const POLL_MS = 150;

/** Resolves when the session is there. @throws TIMEOUT with what it was doing; INVALID_STATE when it can no longer become idle */
export async function wait(ctx: Context, input: WaitInput): Promise<SessionFacts> {
  const { id } = await findSession(ctx, input.session);
  const deadline = ctx.clock.now() + input.timeout_ms;
  let idleLooks = 0;
  for (;;) {
    const record = await findSession(ctx, id);
    const state = record.state === "active" ? await lookOrConclude(ctx, record) : record.state;
    if (input.until === "exited" && isOver(state)) return factsOf(ctx, await findSession(ctx, id));
    if (input.until === "idle" && isOver(state))
      throw invalidState(await findSession(ctx, id), { verb: "wait for input of", allowed: ["active"] });
    idleLooks = state === "idle" || state === "awaiting_input" ? idleLooks + 1 : 0;
    if (input.until === "idle" && idleLooks >= 2) return factsOf(ctx, record);
    if (ctx.clock.now() >= deadline || input.signal?.aborted === true) throw timedOut(ctx, { record, input });
    await ctx.clock.sleep(Math.max(1, Math.min(POLL_MS, deadline - ctx.clock.now())));
  }
}

function isOver(state: string): boolean {
  return ["stopped", "errored", "decommissioned", "deleted", "ended"].includes(state);
}

/** The activity seen now; `ended` once the session's program has; `unknown` while tmux does not answer. */
async function lookOrConclude(ctx: Context, record: SessionRecord): Promise<string> {
  try {
    const seen = await look(ctx, { record, adapter: ctx.agent(record.agent) });
    if (seen.pane.exit === null) return seen.reading.state;
  } catch (error) {
    if (hasCode(error, "TMUX_UNRESPONSIVE", "RESOURCE_EXHAUSTED")) return "unknown";
    if (!hasCode(error, "PANE_GONE", "PANE_FOREIGN")) throw error;
  }
  const after = await concludeIfEnded(ctx, record.id);
  return after.state === "active" ? "unknown" : "ended";
}

function timedOut(ctx: Context, waited: { record: SessionRecord; input: WaitInput }): TmpmError {
  const { record, input } = waited;
  const facts = factsOf(ctx, record);
  return new TmpmError(
    "TIMEOUT",
    `session ${record.name} was not ${input.until} within ${input.timeout_ms / 1000} s; it is ${facts.activity.state}`,
    {
      ...(facts.hint === null ? {} : { hint: facts.hint }),
      details: { id: record.id, state: record.state, activity: facts.activity.state, evidence: facts.activity.evidence },
    },
  );
}
