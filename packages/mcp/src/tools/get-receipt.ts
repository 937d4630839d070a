import { Receipt } from "@tmpm/core";
import * as z from "zod";
import { sessionId } from "../schemas.js";
import { READS, tool } from "../tool.js";

export const getReceipt = tool({
  name: "get_receipt",
  title: "Get the receipt of a prompt",
  description: "Whether a sent prompt has arrived, with evidence; `receipt` is null while delivery is in progress.",
  needs: "read",
  hints: READS,
  input: z.strictObject({ session: sessionId, send: z.string().min(1).max(200).describe("The turn's id, or its idempotency key.") }),
  output: z.object({ id: z.string(), done: z.boolean(), receipt: Receipt.nullable() }),
  async run({ session, send }, { client }) {
    const { id, done, receipt } = await client.receipt({ session, send });
    return { id, done, receipt };
  },
});
