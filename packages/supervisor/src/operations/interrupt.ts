import { TmpmError } from "@tmpm/core";
import { waits } from "../activity/believe.js";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { isInterruptible } from "../delivery/interrupt-first.js";
import { untilScreen } from "../delivery/keys-and-looks.js";
import { isHeldUp, type LeaveOptions, leave } from "../delivery/leave.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { readScreen, type ScreenReading } from "../observe/observe.js";
import { requireActive } from "../require-active.js";
import { interruptTurns } from "../turns/interrupt-turns.js";

/** `interrupted`: the turn was seen to end. `not_working`: there was none. `unconfirmed`: the keys were pressed and it still works. */
export type InterruptOutcome = "interrupted" | "not_working" | "unconfirmed";

export interface Interrupted {
  readonly session: SessionFacts;
  readonly outcome: InterruptOutcome;
  /** The observation, in words. */
  readonly evidence: readonly string[];
}

/**
 * Interrupts the running turn through the agent's protocol or with its own keys, and only a visible turn.
 * @throws INVALID_STATE, INVALID_ARGUMENT for an agent without interrupt keys, SESSION_BLOCKED while a dialog would take the keys, and
 * errors of the driver
 */
export async function interrupt(ctx: Context, input: { readonly session: string }): Promise<Interrupted> {
  const { id } = await requireActive(ctx, { session: input.session, verb: "interrupt" });
  return ctx.queue.run(id, () => interruptNow(ctx, id));
}

/** Likewise, for a caller that already holds the session's queue. */
export async function interruptNow(ctx: Context, id: string): Promise<Interrupted> {
  const record = await requireActive(ctx, { session: id, verb: "interrupt" });
  const adapter = agentOf(ctx, record);
  if (!isInterruptible(ctx, { record, adapter })) {
    throw new TmpmError("INVALID_ARGUMENT", `agent ${adapter.id} has no interrupt keys`, {
      hint: `\`tmpm keys ${record.name} C-c\` presses a key of your choice.`,
      details: { id, agent: adapter.id },
    });
  }
  const seen = await readScreenOnceBegun(ctx, { record, adapter });
  const { state, evidence } = seen.reading;
  if (isHeldUp(seen)) return leaveNow(ctx, { record, seen });
  if (state === "blocked" || state === "awaiting_approval") {
    throw new TmpmError("SESSION_BLOCKED", `session ${record.name} shows a dialog: ${evidence.join("; ")}`, {
      details: { id, state, evidence },
    });
  }
  if (state !== "working") return { session: factsOf(ctx, record), outcome: "not_working", evidence };
  const ended = await interruptTurns(ctx, { record, adapter, look: seen, cause: "client_rpc" });
  ctx.requests.sweep.notify();
  if (ended === null)
    return { session: factsOf(ctx, record), outcome: "unconfirmed", evidence: ["the keys were pressed, and it is still working"] };
  return { session: factsOf(ctx, record), outcome: "interrupted", evidence: ended.look.reading.evidence };
}

/** The turn in which it waited ends with it; one with a reported limit has already ended. */
async function leaveNow(ctx: Context, { record, seen }: Omit<LeaveOptions, "deadline">): Promise<Interrupted> {
  const deadline = ctx.clock.now() + ctx.settings.confirmMs;
  await leave(ctx, { record, seen, deadline });
  const left = await untilScreen(ctx, { record, deadline, so: (now) => !isHeldUp(now) && now.reading.state !== "working" });
  ctx.requests.sweep.notify();
  const outcome = isHeldUp(left) ? "unconfirmed" : "interrupted";
  return { session: factsOf(ctx, record), outcome, evidence: left.reading.evidence };
}

const POLL_MS = 100;

/** A just entered prompt is a turn about to show: earlier keys would interrupt nothing. */
async function readScreenOnceBegun(ctx: Context, session: Parameters<typeof readScreen>[1]): Promise<ScreenReading> {
  const deadline = ctx.clock.now() + ctx.settings.confirmMs;
  for (;;) {
    const seen = await readScreen(ctx, session);
    const begins = seen.reading.state === "idle" && waits(ctx.observations.known(session.record.id).track, { nowMs: ctx.clock.now() });
    if (!begins || ctx.clock.now() >= deadline) return seen;
    await ctx.clock.sleep(POLL_MS);
  }
}
