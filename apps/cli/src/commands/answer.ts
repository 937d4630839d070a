import type { AnsweredAnswer } from "@tmpm/api";
import { command, type InputOf } from "../command.js";
import { decisionTarget } from "../input/decision-target.js";
import { usageError } from "../parse/usage-error.js";
import { answeredExit, answeredLine } from "../render/decision.js";
import { DECISION_ID, SESSION } from "./shared-arguments.js";

const ARGS = {
  session: SESSION,
  text: { takes: "any", mayBeEmpty: true, label: "TEXT", summary: "A free-form answer, where the question takes one" },
} as const;
const OPTIONS = {
  choice: { takes: "count", label: "N", summary: "The choice with this number, as `tmpm next` shows it" },
  id: DECISION_ID,
} as const;

export const answer = command({
  name: "answer",
  summary: "Answer a session's question",
  more: `Words are joined with single spaces. Exits with status 7 if the answer could not be confirmed.

  tmpm answer demo --choice 2
  tmpm answer demo use the blue one`,
  args: ARGS,
  options: OPTIONS,
  async run(input, context): Promise<AnsweredAnswer> {
    const given = answerOf(input);
    const client = context.client();
    const { session, decision } = await decisionTarget(client, { session: input.session, id: input.id });
    return client.answer({ session: session.id, decision_id: decision.id, answer: given });
  },
  render: answeredLine,
  exit: answeredExit,
});

function answerOf({ text, choice }: InputOf<typeof ARGS, typeof OPTIONS>) {
  if (text.length > 0 === (choice !== undefined)) throw usageError("give either TEXT or --choice N", "`tmpm next` shows the choices.");
  return choice === undefined ? { kind: "text" as const, text: text.join(" ") } : { kind: "choice" as const, number: choice };
}
