import { MESSAGE_LIMITS, TmpmError } from "@tmpm/core";
import * as z from "zod";
import { sessionId } from "../schemas.js";
import { tool } from "../tool.js";

export const answerQuestion = tool({
  name: "answer_question",
  title: "Answer a question",
  description:
    "Answers a question asked with `ask_human` by a session that you started, or by one of its descendants; `get_session` shows the question. An agent's permission request is not a question: the user decides it.",
  needs: "grant",
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: z.strictObject({
    session: sessionId,
    question: z.string().min(4).max(100).describe("The question's id."),
    text: z.string().min(1).max(MESSAGE_LIMITS.answer).optional(),
    choice: z.number().int().min(1).max(MESSAGE_LIMITS.choices).optional().describe("Number of a choice, from 1, instead of a text."),
  }),
  output: z.object({
    answer: z.string(),
    delivery: z
      .enum(["waiting", "prompt", "kept"])
      .describe("Whether the session was waiting for it, receives it as a prompt, or receives it when it asks again."),
  }),
  async run({ session, question, text, choice }, { client }) {
    if ((text === undefined) === (choice === undefined)) throw new TmpmError("INVALID_ARGUMENT", "give either a text or a choice");
    const given = choice === undefined ? { kind: "text" as const, text: text ?? "" } : { kind: "choice" as const, number: choice };
    const { answer } = await client.answerQuestion({ session, question, answer: given });
    if (answer === null) throw new TypeError("an answered question has an answer");
    return { answer: answer.text, delivery: answer.delivery };
  },
});
