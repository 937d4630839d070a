import { Receipt } from "@tmpm/core";
import * as z from "zod";
import { sessionId } from "../schemas.js";
import { READS, tool } from "../tool.js";

export const getReceipt = tool({
  name: "get_receipt",
  title: "Get the receipt of a prompt",
  description: "Whether a prompt has arrived, with evidence. `done` is false while delivery is in progress or has not begun.",
  needs: "read",
  hints: READS,
  input: z.strictObject({ session: sessionId, send: z.string().min(1).max(200).describe("The turn's id, or its idempotency key.") }),
  output: z.object({ id: z.string(), done: z.boolean(), receipt: Receipt }),
  async run(asked, { client }) {
    const { id, done, receipt } = await client.receipt(asked);
    return { id, done, receipt };
  },
});
