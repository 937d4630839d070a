import { type Question, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";

/** A question of a session by its id or a prefix of it. @throws QUESTION_NOT_FOUND */
export async function findQuestion(
  ctx: Pick<Context, "messages">,
  { record, question: wanted }: { readonly record: SessionRecord; readonly question: string },
): Promise<Question> {
  await ctx.messages.loaded();
  const found = ctx.messages.of(record.id).questions.filter(({ id }) => id.startsWith(wanted));
  const question = found.find(({ id }) => id === wanted) ?? (found.length === 1 ? found[0] : undefined);
  if (question !== undefined) return question;
  throw new TmpmError("QUESTION_NOT_FOUND", `session ${record.name} has no question ${JSON.stringify(wanted)}`, {
    hint: `\`tmpm inbox ${record.name} --all\` lists its questions.`,
    details: { question: wanted },
  });
}

/** @throws QUESTION_NOT_FOUND for one that was forgotten meanwhile */
export function questionIn(questions: readonly Question[], id: string): Question {
  const found = questions.find((question) => question.id === id);
  if (found !== undefined) return found;
  throw new TmpmError("QUESTION_NOT_FOUND", `the question ${id} no longer exists`, { details: { question: id } });
}
