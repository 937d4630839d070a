import { type GivenAnswer, hasCode, isTmpmError, type Question } from "@tmpm/core";
import type { Context } from "../context.js";
import { cancel } from "../operations/cancel.js";
import { submit } from "../operations/submit.js";
import { questionIn } from "./find-question.js";

const QUOTED = 200;

/** The prompt with an answer for an agent that does not wait for it. */
export function answerPrompt({ question, answer }: { readonly question: string; readonly answer: string }): string {
  const line = question.replaceAll(/\s+/g, " ").trim();
  const quoted = Array.from(line).slice(0, QUOTED).join("");
  return `The answer to your question "${quoted}${quoted === line ? "" : "…"}" is:\n\n${answer}`;
}

/**
 * Sends a recorded answer as a prompt. The question's id is the key, so that it is sent once, even after a crash. If it is refused, the
 * answer is kept for when the agent asks again.
 */
export async function deliverAnswer(ctx: Context, question: Question): Promise<Question> {
  const { answer, session_id } = question;
  if (answer === null || answer.delivery !== "prompt" || answer.turn_id !== null || answer.collected_at !== null) return question;
  try {
    const { turn } = await submit(ctx, {
      session: session_id,
      prompt: answerPrompt({ question: question.question, answer: answer.text }),
      queue: true,
      idempotency_key: `answer-${question.id}`,
      actor: answer.by,
    });
    return await amended(ctx, { question, change: (given) => ({ ...given, turn_id: turn.id }) });
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return amended(ctx, { question, change: (given) => ({ ...given, delivery: "kept" }) });
  }
}

/** Sends answers that an earlier daemon recorded but did not send. */
export async function deliverAnswers(ctx: Context): Promise<void> {
  await ctx.messages.loaded();
  for (const { questions } of ctx.messages.all()) for (const question of questions) await deliverAnswer(ctx, await unwaited(ctx, question));
}

/** An answer for which the session no longer waits is sent as a prompt. */
export async function unwaited(ctx: Pick<Context, "messages">, question: Question): Promise<Question> {
  const isMissed = ({ delivery, collected_at }: GivenAnswer) =>
    delivery === "waiting" && collected_at === null && !ctx.messages.isAwaited(question.id);
  if (question.answer === null || !isMissed(question.answer)) return question;
  return amended(ctx, { question, change: (given) => (isMissed(given) ? { ...given, delivery: "prompt" } : given) });
}

/** Records that the session has its answer, and cancels the prompt with it. */
export async function collected(ctx: Context, { question, at }: { readonly question: Question; readonly at: string }): Promise<Question> {
  const { answer } = question;
  if (answer === null || answer.collected_at !== null) return question;
  if (answer.turn_id !== null) await takeBack(ctx, { session: question.session_id, turn: answer.turn_id });
  return amended(ctx, { question, change: (given) => ({ ...given, collected_at: at }) });
}

/** A running prompt stays. */
async function takeBack(ctx: Context, { session, turn }: { readonly session: string; readonly turn: string }): Promise<void> {
  try {
    await cancel(ctx, { session, turn, waiting: true });
  } catch (error) {
    if (!hasCode(error, "INVALID_STATE", "TURN_NOT_ACTIVE", "TURN_NOT_FOUND")) throw error;
  }
}

async function amended(
  ctx: Pick<Context, "messages">,
  { question, change }: { readonly question: Question; readonly change: (given: GivenAnswer) => GivenAnswer },
): Promise<Question> {
  const { questions } = await ctx.messages.change(question.session_id, (messages) => ({
    ...messages,
    questions: messages.questions.map((each) =>
      each.id === question.id && each.answer !== null ? { ...each, answer: change(each.answer) } : each,
    ),
  }));
  return questionIn(questions, question.id);
}
