import type { Client } from "@tmpm/api/client";
import { hasCode, Receipt } from "@tmpm/core";
import * as z from "zod";
import { sessionId } from "../schemas.js";
import { READS, tool } from "../tool.js";

const Found = z.object({ id: z.string(), done: z.boolean(), receipt: Receipt.nullable() });
type Found = z.infer<typeof Found>;

export const getReceipt = tool({
  name: "get_receipt",
  title: "Get the receipt of a prompt",
  description:
    "Whether a prompt has arrived, with evidence. `done` is false while delivery is in progress, and `receipt` is null until it has begun.",
  needs: "read",
  hints: READS,
  input: z.strictObject({ session: sessionId, send: z.string().min(1).max(200).describe("The turn's id, or its idempotency key.") }),
  output: Found,
  async run(asked, { client }) {
    try {
      const { id, done, receipt } = await client.receipt(asked);
      return { id, done, receipt };
    } catch (error) {
      if (!hasCode(error, "SEND_NOT_FOUND")) throw error;
      const found = await otherwiseSent(client, asked);
      if (found === null) throw error;
      return found;
    }
  },
});

interface Asked {
  readonly session: string;
  readonly send: string;
}

/** A first prompt that the launch passes to the agent has a turn only, and none before its workspace is made. */
async function otherwiseSent(client: Client, { session, send }: Asked): Promise<Found | null> {
  try {
    const { id, receipt } = await client.turn({ session, turn: send });
    return { id, done: receipt !== null && receipt.outcome !== "held", receipt };
  } catch (error) {
    if (!hasCode(error, "TURN_NOT_FOUND")) throw error;
    const { state } = await client.show({ session });
    return state === "provisioning" ? { id: send, done: false, receipt: null } : null;
  }
}
