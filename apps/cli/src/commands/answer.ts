import type { AnsweredAnswer, AskedAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { command, type InputOf } from "../command.js";
import { decisionTarget } from "../input/decision-target.js";
import { usageError } from "../parse/usage-error.js";
import { answersOf } from "../printed.js";
import { answeredExit, answeredLine } from "../render/decision.js";
import { questionAnsweredLine } from "../render/message.js";
import { DECISION_ID, SESSION } from "./shared-arguments.js";

const ARGS = {
  session: SESSION,
  text: { takes: "any", mayBeEmpty: true, label: "TEXT", summary: "A free-form answer, if the question accepts one" },
} as const;
const OPTIONS = {
  choice: { takes: "count", label: "N", summary: "The choice with this number, as `tmpm next` shows it", completes: { kind: "choices" } },
  id: DECISION_ID,
} as const;

export const answer = command({
  name: "answer",
  group: "Send prompts and answers",
  summary: "Answer a session's question",
  more: `Words are joined with single spaces. Answers the question on the session's screen, or else its question in \`tmpm inbox\`; --id selects one. Exits with status 7 if the answer could not be confirmed.

  tmpm answer demo --choice 2
  tmpm answer demo use the blue one`,
  args: ARGS,
  options: OPTIONS,
  printed: answersOf("answer", "answerQuestion"),
  async run(input, context): Promise<AnsweredAnswer | AskedAnswer> {
    const given = answerOf(input);
    const client = context.client();
    const question = await questionTarget(client, { session: input.session, id: input.id });
    if (question !== null) return client.answerQuestion({ session: question.session_id, question: question.id, answer: given });
    const { session, decision } = await decisionTarget(client, { session: input.session, id: input.id });
    return client.answer({ session: session.id, decision_id: decision.id, answer: given });
  },
  render: (answered) => ("outcome" in answered ? answeredLine(answered) : questionAnsweredLine(answered)),
  exit: (answered) => ("outcome" in answered ? answeredExit(answered) : 0),
});

function answerOf({ text, choice }: InputOf<typeof ARGS, typeof OPTIONS>) {
  if (text.length > 0 === (choice !== undefined)) throw usageError("give either TEXT or --choice N", "`tmpm next` shows the choices.");
  return choice === undefined ? { kind: "text" as const, text: text.join(" ") } : { kind: "choice" as const, number: choice };
}

interface QuestionWanted {
  readonly session: string;
  /** The question's id or a prefix; without it, the session's own question unless its screen asks something. */
  readonly id: string | undefined;
}

/** The question to answer; null if the answer is for the session's screen. */
async function questionTarget(client: Client, { session, id }: QuestionWanted): Promise<Pick<AskedAnswer, "id" | "session_id"> | null> {
  const found = await client.show({ session });
  if (id === undefined) return found.decision === null ? (found.question ?? null) : null;
  if (found.decision?.id.startsWith(id) === true) return null;
  const { questions } = await client.inbox({ session: found.id, all: true });
  return questions.find((question) => question.id.startsWith(id)) ?? null;
}
