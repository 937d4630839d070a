import * as z from "zod";
import { rowOf } from "../rows.js";
import { SessionRow, sessionId } from "../schemas.js";
import { tool } from "../tool.js";

export const interrupt = tool({
  name: "interrupt",
  title: "Interrupt a session",
  description: "Interrupts the turn of a session that you started, or of one of its descendants. The session is kept.",
  needs: "grant",
  hints: { readOnly: false, destructive: true, idempotent: true },
  input: z.strictObject({ session: sessionId }),
  output: z.object({ outcome: z.string(), evidence: z.array(z.string()), session: SessionRow }),
  async run({ session }, { client }) {
    const answer = await client.interrupt({ session });
    return { outcome: answer.outcome, evidence: answer.evidence.slice(0, 10), session: rowOf(answer, Date.now()) };
  },
});
