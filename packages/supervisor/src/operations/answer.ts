import { type Decision, parseText, type SessionRecord, TmpmError } from "@tmpm/core";
import type { AnswerGiven } from "@tmpm/host";
import { agentOf } from "../agent-of.js";
import { answerRequest } from "../answer/answer-request.js";
import { decisionGone } from "../answer/decision-gone.js";
import { giveAnswer } from "../answer/give-answer.js";
import { findShown, settleInterrupted } from "../answer/on-screen.js";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { paneOf } from "../observe/observe.js";
import { requireActive } from "../require-active.js";

export interface AnswerInput {
  readonly session: string;
  /** The decision's id or a prefix of it, so that only a decision known to the caller is answered. */
  readonly decision_id: string;
  readonly answer: AnswerGiven;
}

export interface Answered {
  readonly session: SessionFacts;
  readonly decision: Decision;
  /** `answered`: the question is gone from the screen. `unconfirmed`: the keys were pressed, and no effect was seen. */
  readonly outcome: "answered" | "unconfirmed";
  /** Label of the chosen option, never typed text. */
  readonly answer: string;
  readonly evidence: readonly string[];
}

/**
 * Answers a session's decision: once, and only while the screen shows exactly that. One of two simultaneous callers answers, the other gets
 * DECISION_GONE.
 * @throws DECISION_GONE with the answer, when it is known; SESSION_BLOCKED for dialogs that only a user at the terminal may answer, and for
 * answers with unknown keys; INVALID_ARGUMENT, INVALID_TEXT, INVALID_STATE, and errors of the driver
 */
export async function answer(ctx: Context, input: AnswerInput): Promise<Answered> {
  const given = input.answer.kind === "text" ? { ...input.answer, text: parseText(input.answer.text) } : input.answer;
  const { id } = await requireActive(ctx, { session: input.session, verb: "answer" });
  return ctx.queue.run(id, async () => {
    const record = await requireActive(ctx, { session: id, verb: "answer" });
    await ctx.recalled();
    const decision = requireOpen(ctx, { record, decisionId: input.decision_id });
    await settleInterrupted(ctx, { record, decision });
    const shown = await findShown(ctx, { record, decision });
    const conversation = ctx.host.conversation(paneOf(record));
    if (conversation !== null) {
      const { label, evidence } = await answerRequest(ctx, { record, conversation, shown: shown.decision, given });
      ctx.requests.sweep.notify();
      return { session: factsOf(ctx, record), decision, outcome: "answered", answer: label, evidence };
    }
    const { label, evidence } = await giveAnswer(ctx, { record, decision, given, adapter: agentOf(ctx, record), reading: shown });
    ctx.requests.sweep.notify();
    return {
      session: factsOf(ctx, record),
      decision,
      outcome: evidence === null ? "unconfirmed" : "answered",
      answer: label,
      evidence: evidence ?? ["the keys were pressed, and the question is still shown"],
    };
  });
}

function requireOpen(ctx: Context, { record, decisionId }: { readonly record: SessionRecord; readonly decisionId: string }): Decision {
  const { asked } = ctx.observations.known(record.id);
  const { open, closed } = asked;
  if (open?.id.startsWith(decisionId)) return open;
  const { activity, hint } = factsOf(ctx, record);
  if (activity.state === "blocked") {
    throw new TmpmError(
      "SESSION_BLOCKED",
      `session ${record.name} shows a dialog that tmpm cannot answer: ${activity.evidence.join("; ")}`,
      {
        hint: hint ?? `Answer it with \`tmpm attach ${record.name}\`.`,
        details: { id: record.id, evidence: activity.evidence },
      },
    );
  }
  throw decisionGone({ record, open, before: closed.findLast(({ decision }) => decision.id.startsWith(decisionId)) });
}
