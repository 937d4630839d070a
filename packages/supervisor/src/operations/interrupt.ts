import { TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { look } from "../looks/observe.js";
import { requireActive } from "../require-active.js";
import { interruptTurns } from "../turns/interrupt-turns.js";

/** `interrupted`: the turn was seen to end. `not_working`: there was none. `unconfirmed`: the keys were pressed and it still works. */
export type InterruptOutcome = "interrupted" | "not_working" | "unconfirmed";

export interface Interrupted {
  readonly session: SessionFacts;
  readonly outcome: InterruptOutcome;
  /** What was seen, in words. */
  readonly evidence: readonly string[];
}

/**
 * Breaks off the running turn with the agent's own keys, and only a turn that is seen to run.
 * @throws INVALID_STATE, INVALID_ARGUMENT for an agent that no key interrupts, SESSION_BLOCKED while a dialog would take the keys, and what the driver throws
 */
export async function interrupt(ctx: Context, input: { readonly session: string }): Promise<Interrupted> {
  const { id } = await requireActive(ctx, { session: input.session, verb: "interrupt" });
  return ctx.queue.run(id, () => interruptNow(ctx, id));
}

/** The same, for a caller that already holds the session's queue. */
export async function interruptNow(ctx: Context, id: string): Promise<Interrupted> {
  const record = await requireActive(ctx, { session: id, verb: "interrupt" });
  const adapter = ctx.agent(record.agent);
  if (adapter.interrupt === null) {
    throw new TmpmError("INVALID_ARGUMENT", `agent ${adapter.id} has no keys that interrupt it`, {
      hint: `\`tmpm keys ${record.name} C-c\` presses a key of your own choice.`,
      details: { id, agent: adapter.id },
    });
  }
  const seen = await look(ctx, { record, adapter });
  const { state, evidence } = seen.reading;
  if (state === "blocked" || state === "awaiting_approval") {
    throw new TmpmError("SESSION_BLOCKED", `session ${record.name} shows a dialog: ${evidence.join("; ")}`, {
      details: { id, state, evidence },
    });
  }
  if (state !== "working") return { session: factsOf(ctx, record), outcome: "not_working", evidence };
  const ended = await interruptTurns(ctx, { record, adapter, look: seen, cause: "client_rpc" });
  ctx.bell.ring();
  if (ended === null)
    return { session: factsOf(ctx, record), outcome: "unconfirmed", evidence: ["the keys were pressed, and it still works"] };
  return { session: factsOf(ctx, record), outcome: "interrupted", evidence: ended.look.reading.evidence };
}
