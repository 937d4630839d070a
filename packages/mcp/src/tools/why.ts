import { WhyAnswer } from "@tmpm/api";
import * as z from "zod";
import { rowOf } from "../rows.js";
import { SessionRow, sessionId } from "../schemas.js";
import { fitting } from "../shown.js";
import { READS, tool } from "../tool.js";

const MOST = 6_000;

export const why = tool({
  name: "why",
  title: "Explain a session's state",
  description: "Evidence for a session's state, newest first, and what would change it.",
  needs: "read",
  hints: READS,
  input: z.strictObject({ session: sessionId }),
  output: WhyAnswer.pick({ evidence: true, would_change: true }).extend({
    session: SessionRow,
    more: z.number().int().describe("Number of evidence items omitted."),
  }),
  async run({ session }, { client }) {
    const { session: found, evidence, would_change } = await client.why({ session });
    const shown = fitting(evidence, MOST);
    return { session: rowOf(found, Date.now()), evidence: [...shown], would_change, more: evidence.length - shown.length };
  },
});
