import { MESSAGE_LIMITS, TmpmError } from "@tmpm/core";
import * as z from "zod";
import { tool } from "../tool.js";

const MOST_S = 25;

const Asked = z.object({
  status: z.enum(["answered", "pending", "withdrawn"]),
  question: z.string().describe("Its id."),
  answer: z.string().nullable(),
  choice: z.number().int().nullable().describe("Number of the choice, from 1; null for a free-text answer."),
  answered_by: z.string().nullable().describe("The session that answered; null for the user, and while it is pending."),
});

export const askHuman = tool({
  name: "ask_human",
  title: "Ask the user",
  description:
    "Asks this session's user, and waits up to 25 seconds. `status` is `pending` while there is no answer: call again with the same question to keep waiting, or end your turn, and the answer arrives as a prompt. It never fails because of a timeout.",
  needs: "own",
  hints: { readOnly: false, destructive: false, idempotent: true },
  input: z.strictObject({
    question: z.string().min(1).max(MESSAGE_LIMITS.question),
    choices: z.array(z.string().min(1).max(MESSAGE_LIMITS.choice)).max(MESSAGE_LIMITS.choices).default([]),
    seconds: z.number().min(0).max(MOST_S).default(20),
  }),
  output: Asked,
  async run({ question, choices, seconds }, { client, self, signal, waitedMs }): Promise<z.input<typeof Asked>> {
    if (self === null) throw new TmpmError("INVALID_ARGUMENT", "there is no session to ask for");
    const { id } = await client.ask({ session: self, question, choices });
    const wait_ms = Math.max(0, Math.round(seconds * 1000 - waitedMs));
    const { answer, withdrawn_at } = await client.question(
      { session: self, question: id, wait_ms },
      { timeoutMs: wait_ms + 5_000, signal },
    );
    const status = answer !== null ? "answered" : withdrawn_at !== null ? "withdrawn" : "pending";
    return { status, question: id, answer: answer?.text ?? null, choice: answer?.choice ?? null, answered_by: answer?.by ?? null };
  },
});
