import { type ActivityState, msFromTimestamp } from "@tmpm/core";
import type { Context } from "../context.js";
import type { SessionFacts } from "../facts.js";
import { list } from "./read.js";

/** By urgency: what blocks most comes first. An agent that has finished its turn waits too, but for work, not for an answer. */
const URGENCY: readonly ActivityState[] = ["awaiting_approval", "awaiting_input", "blocked", "errored"];

/** The session that most needs attention: the most urgent state, and of these the longest waiting one; null without any. */
export async function next(
  ctx: Context,
  filter: { readonly project_id?: string | undefined },
): Promise<{ readonly session: SessionFacts | null }> {
  const { sessions } = await list(ctx, filter);
  const waiting = sessions.filter((session) => session.record.paused_at === null && urgency(session) < URGENCY.length);
  const [session] = waiting.toSorted((a, b) => urgency(a) - urgency(b) || waitingSince(a) - waitingSince(b));
  return { session: session ?? null };
}

/** A failed launch is in its record, and needs no urgent attention. */
function urgency({ activity, record, question }: SessionFacts): number {
  if (record.state !== "active") return URGENCY.length;
  const shown = URGENCY.indexOf(activity.state);
  const asked = question === null ? -1 : URGENCY.indexOf("awaiting_input");
  return Math.min(...[shown, asked].map((index) => (index < 0 ? URGENCY.length : index)));
}

function waitingSince({ activity, question }: SessionFacts): number {
  const isShown = URGENCY.includes(activity.state);
  return msFromTimestamp(question === null || isShown ? activity.since : question.asked_at);
}
