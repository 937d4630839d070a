import {
  hasCode,
  isNextTurn,
  isTmpmError,
  runningTurns,
  type SendEntry,
  type SendReason,
  type SessionRecord,
  type TmpmError,
  withEffect,
} from "@tmpm/core";
import { agentOf } from "../agent-of.js";
import type { Context } from "../context.js";
import { readScreen, type ScreenReading } from "../observe/observe.js";
import { sessionRecord } from "../session-record.js";
import { budgetHold } from "../usage/budget.js";
import { isPassing, reasonOf } from "./faults.js";
import { isInterruptible } from "./interrupt-first.js";
import { leftoverIn } from "./leftover.js";
import { readiness } from "./readiness.js";
import { type Hold, outlives, type Running } from "./running.js";
import { takesLongText } from "./settled.js";

/** The agent accepts text now; or the wait is over, and nothing was typed. */
export type ReadinessResult =
  | { readonly kind: "ready" }
  | {
      readonly kind: "over";
      readonly hold: Hold /** A waiting caller gets it instead of a receipt. */;
      readonly error: TmpmError | null;
    };

/** Whether to type. `over`: never. */
export type SendReadiness =
  | {
      readonly kind: "ready";
      readonly record: SessionRecord;
      readonly look: ScreenReading /** An earlier send whose text waits in the input. */;
      readonly left?: SendEntry;
    }
  | { readonly kind: "wait"; readonly hold: Hold }
  | Extract<ReadinessResult, { kind: "over" }>;

const STARTING_MS = 90_000;

const UNSETTLED: Hold = {
  reason: "starting",
  evidence: ["the agent was just launched, and does not yet show that it is ready for a long text"],
  hint: null,
};

/**
 * Waits until the send is the first of its session and the agent accepts text, for at most its patience. Nothing is typed, and no other
 * session is delayed.
 */
export async function holdUntilReady(
  ctx: Context,
  {
    running,
    startedMs,
  }: { readonly running: Running /** Since when its patience counts, however often it has to wait again. */; readonly startedMs: number },
): Promise<ReadinessResult> {
  const changes = ctx.changes.listen([running.session]);
  try {
    for (;;) {
      const standing = await standingOf(ctx, running);
      if (standing.kind !== "wait") return standing.kind === "ready" ? { kind: "ready" } : standing;
      running.waitsFor(standing.hold);
      const waited = ctx.clock.now() - startedMs;
      const left = patienceMs(ctx, { running, reason: standing.hold.reason }) - waited;
      if (left <= 0) return over(standing.hold);
      await changes.next(Math.max(1, Math.min(left, pauseMs(waited))));
    }
  } finally {
    changes.close();
  }
}

/** Whether the send may be typed now. A failure is something to wait for, or the end for a caller that waits. */
export async function standingOf(ctx: Context, running: Running): Promise<SendReadiness> {
  try {
    return await lookedAt(ctx, running);
  } catch (error) {
    return standingAfter(error, running);
  }
}

async function lookedAt(ctx: Context, running: Running): Promise<SendReadiness> {
  const taken = running.takenBack();
  if (taken !== null) return over({ reason: taken.why, evidence: taken.evidence, hint: null });
  if (!isOpen(ctx, running)) return over({ reason: "cancelled", evidence: ["its turn is over"], hint: null });
  if (!isNextTurn(ctx.turns.lane(running.session), running.id)) return wait(behind("an earlier send is pending"));
  const kept = await sessionRecord(ctx, running.session);
  if (kept.kind === "absent") return over({ reason: "session_ended", evidence: ["its record no longer exists"], hint: null });
  if (kept.kind === "unknown") return wait(holdOf(kept.error, "not_ready"));
  const { record } = kept;
  if (record.state === "provisioning") return wait({ reason: "starting", evidence: ["its launch is not finished"], hint: null });
  if (record.state !== "active") return over(ended(record));
  if (record.paused_at !== null)
    return wait({ reason: "paused", evidence: ["the session is paused"], hint: `\`tmpm resume ${record.name}\` unpauses it.` });
  const spent = running.entry().now ? null : await budgetHold(ctx, record);
  if (spent !== null) return wait(spent);
  const adapter = agentOf(ctx, record);
  const seen = await readScreen(ctx, { record, adapter });
  // The look may have ended the previous turn, or this one may have been cancelled.
  if (isBehindTurn(ctx, running)) return wait(behind("the previous turn is still running"));
  if (!running.entry().now && !takesLongText(seen, { record, text: running.text, nowMs: ctx.clock.now() })) return wait(UNSETTLED);
  const ready = readiness(seen, { record, adapter });
  const stops = isInterruptible(ctx, { record, adapter });
  const left = !ready.ready && ready.reason === "draft" ? await leftoverIn(ctx, { record, adapter, look: seen }) : null;
  if (left === null) return judge(seen, { record, running, ready, stops });
  const standing = judge(seen, { record, running, ready: readiness(withoutDraft(seen), { record, adapter }), stops });
  return standing.kind === "ready" ? { ...standing, left } : standing;
}

function withoutDraft(seen: ScreenReading): ScreenReading {
  return { ...seen, reading: { ...seen.reading, draft: "" } };
}

interface Judged {
  readonly record: SessionRecord;
  readonly running: Running;
  readonly ready: ReturnType<typeof readiness>;
  /** Its agent's work can be interrupted. */
  readonly stops: boolean;
}

function judge(seen: ScreenReading, { record, running, ready, stops }: Judged): SendReadiness {
  const { now, interrupt, one_at_a_time } = running.entry();
  const busy = one_at_a_time && !interrupt && !now && seen.reading.state === "working";
  if (busy) return wait({ reason: "working", evidence: seen.reading.evidence, hint: null });
  if (ready.ready) return { kind: "ready", record, look: seen };
  if (ready.reason === "session_ended") return over(ready);
  if (now) return ready.reason === "copy_mode" ? over(ready) : { kind: "ready", record, look: seen };
  if (interrupt && stops && ready.reason === "working") return { kind: "ready", record, look: seen };
  return wait(ready);
}

/**
 * The result of a failure before anything was typed: an error for a waiting caller; without one, the send waits until the failure has passed.
 * @throws errors that are not temporary
 */
export function standingAfter(error: unknown, running: Running): SendReadiness {
  if (hasCode(error, "PANE_GONE", "PANE_FOREIGN")) return over(holdOf(error, "session_ended"));
  if (!isPassing(error)) throw error;
  const hold = holdOf(error, reasonOf(error));
  if (outlives(running)) return wait(hold);
  if (!isTmpmError(error)) throw error;
  // Nothing was typed, whatever the look's result.
  return { kind: "over", hold, error: withEffect(error, "none") };
}

function holdOf(error: Error, reason: SendReason): Hold {
  return { reason, evidence: [error.message], hint: isTmpmError(error) ? error.hint : null };
}

/** How long it waits in all, in ms. */
export function patienceMs(
  ctx: Pick<Context, "settings">,
  { running, reason }: { readonly running: Running; readonly reason: SendReason },
): number {
  const { patience_ms } = running.entry();
  if (patience_ms === null) return Number.POSITIVE_INFINITY;
  if (patience_ms !== undefined) return patience_ms;
  return reason === "starting" ? Math.max(STARTING_MS, ctx.settings.readyMs) : ctx.settings.readyMs;
}

/** Changes of the screen are reported; polling for the rest slows down. */
function pauseMs(waited: number): number {
  if (waited < 2_000) return 60;
  return waited < 20_000 ? 250 : 1_000;
}

function isOpen(ctx: Pick<Context, "turns">, { session, id }: Running): boolean {
  return ctx.turns.lane(session).open.some((turn) => turn.id === id);
}

function isBehindTurn(ctx: Pick<Context, "turns">, running: Running): boolean {
  const { one_at_a_time, interrupt, now } = running.entry();
  return one_at_a_time && !interrupt && !now && runningTurns(ctx.turns.lane(running.session)).length > 0;
}

function behind(evidence: string): Hold {
  return { reason: "behind_another", evidence: [evidence], hint: null };
}

function ended({ name, state, last_error }: SessionRecord): Hold {
  const why = state === "errored" && last_error !== null ? [last_error.message] : [];
  return { reason: "session_ended", evidence: [`session ${name} is ${state}`, ...why], hint: null };
}

function wait(hold: Hold): SendReadiness {
  return { kind: "wait", hold: { reason: hold.reason, evidence: hold.evidence, hint: hold.hint } };
}

function over(hold: Hold): Extract<ReadinessResult, { kind: "over" }> {
  return { kind: "over", hold: { reason: hold.reason, evidence: hold.evidence, hint: hold.hint }, error: null };
}
