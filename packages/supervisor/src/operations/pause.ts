import { hasCode, parseText, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { recordChange } from "../record-change.js";
import { type AsSeen, requireRev } from "../require-rev.js";
import { type Interrupted, interruptNow } from "./interrupt.js";

export interface PauseInput extends AsSeen {
  readonly session: string;
  /** Stored with the session and shown until it is resumed; at most 4096 characters. */
  readonly summary?: string | undefined;
  /** Also interrupt the running turn. */
  readonly interrupt?: boolean | undefined;
}

export interface Paused {
  readonly session: SessionFacts;
  /** The result of the interrupt; null when not requested. The session is paused in any case. */
  readonly interrupt: (Pick<Interrupted, "evidence"> & { readonly outcome: Interrupted["outcome"] | "refused" }) | null;
}

const LONGEST_SUMMARY = 4_096;

/**
 * Holds all typing into the session and all automatic actions, until it is resumed. Takes effect at once, also while sends wait; the
 * program continues. Pausing again keeps the start, and the summary unless there is a new one.
 * @throws INVALID_STATE, INVALID_TEXT, INVALID_ARGUMENT, and errors of the store
 */
export async function pause(ctx: Context, input: PauseInput): Promise<Paused> {
  const summary = summaryOf(input.summary);
  const { id } = await findSession(ctx, input.session);
  const record = await recordChange(ctx, { id, change: (current) => asked(current, { input, summary }) });
  await ctx.reached("pause.recorded");
  ctx.requests.sweep.notify();
  ctx.emit({ type: "session_paused", at: record.updated_at, session_id: id, summary: record.pause_summary, reason: "asked" });
  if (input.interrupt !== true) return { session: factsOf(ctx, record), interrupt: null };
  const interrupt = await ctx.queue.run(id, () => interrupted(ctx, record));
  await ctx.reached("pause.interrupted");
  return { session: factsOf(ctx, await findSession(ctx, id)), interrupt };
}

function asked(current: SessionRecord, { input, summary }: { readonly input: PauseInput; readonly summary: string | null }) {
  requireRev(current, input);
  return { type: "paused", summary } as const;
}

function summaryOf(text: string | undefined): string | null {
  const summary = text === undefined || text.trim() === "" ? "" : parseText(text).trim();
  if (summary.length > LONGEST_SUMMARY) {
    throw new TmpmError("INVALID_ARGUMENT", `a summary has at most ${LONGEST_SUMMARY} characters`, { details: { field: "summary" } });
  }
  return summary === "" ? null : summary;
}

async function interrupted(ctx: Context, { id }: SessionRecord): Promise<Paused["interrupt"]> {
  try {
    const { outcome, evidence } = await interruptNow(ctx, id);
    return { outcome, evidence };
  } catch (error) {
    if (!hasCode(error, "INVALID_STATE", "INVALID_ARGUMENT", "SESSION_BLOCKED", "PANE_IN_MODE", "PANE_DEAD", "PANE_GONE", "PANE_FOREIGN"))
      throw error;
    return { outcome: "refused", evidence: [error.message] };
  }
}
