import * as z from "zod";
import { sessionId, TurnRow } from "../schemas.js";
import { tool } from "../tool.js";

export const sendPrompt = tool({
  name: "send_prompt",
  title: "Send a prompt",
  description:
    "Sends a prompt to a session within your reach, as a turn that begins when the agent is ready. Returns at once; `get_receipt` and `get_result` take the turn's id. The third identical text to a session within ten minutes is refused, and so is a prompt that would close a loop.",
  needs: "grant",
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: z.strictObject({
    session: sessionId,
    text: z.string().min(1).max(200_000),
    queue: z.boolean().default(false).describe("Wait in the queue indefinitely; by default 30 seconds."),
    idempotency_key: z.string().min(1).max(200).optional().describe("Reusing the key with the same text refers to the same turn."),
  }),
  output: z.object({ turn: TurnRow }),
  async run({ session, text, queue, idempotency_key }, { client }) {
    const turn = await client.submit({
      session,
      prompt: text,
      ...(queue ? { queue } : {}),
      ...(idempotency_key ? { idempotency_key } : {}),
    });
    return { turn: TurnRow.parse(turn) };
  },
});
