import { MESSAGE_LIMITS, TmpmError } from "@tmpm/core";
import * as z from "zod";
import { sessionId } from "../schemas.js";
import { tool } from "../tool.js";

export const answerQuestion = tool({
  name: "answer_question",
  title: "Answer a question",
  description:
    "Answers what a session that you started, or one of its own, asked with `ask_human`; `get_session` shows its question. What its agent asks to be allowed is not a question: a person decides that.",
  needs: "grant",
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: z.strictObject({
    session: sessionId,
    question: z.string().min(4).max(100).describe("The question's id."),
    text: z.string().min(1).max(MESSAGE_LIMITS.answer).optional(),
    choice: z.number().int().min(1).max(MESSAGE_LIMITS.choices).optional().describe("In place of a text: the number of a choice, from 1."),
  }),
  output: z.object({
    answer: z.string(),
    delivery: z
      .enum(["waiting", "prompt", "kept"])
      .describe("Whether the session waited for it, gets it as a prompt, or when it asks again."),
  }),
  async run({ session, question, text, choice }, { client }) {
    if ((text === undefined) === (choice === undefined)) throw new TmpmError("INVALID_ARGUMENT", "give either a text or a choice");
    const given = choice === undefined ? { kind: "text" as const, text: text ?? "" } : { kind: "choice" as const, number: choice };
    const { answer } = await client.answerQuestion({ session, question, answer: given });
    if (answer === null) throw new TypeError("an answered question has an answer");
    return { answer: answer.text, delivery: answer.delivery };
  },
});
