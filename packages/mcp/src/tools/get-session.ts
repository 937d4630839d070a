import { Decision, Question, Report, SessionRecord } from "@tmpm/core";
import * as z from "zod";
import { rowOf } from "../rows.js";
import { SessionRow, sessionId } from "../schemas.js";
import { READS, tool } from "../tool.js";

const record = SessionRecord.pick({ branch: true, created_at: true, stop_cause: true, exit: true, grant: true, lineage: true });

export const getSession = tool({
  name: "get_session",
  title: "Show a session",
  description:
    "One session: its activity, directory, pending decision, question (`asks`), last report (`reported`), parent and exit. By default your own.",
  needs: "read",
  hints: READS,
  input: z.strictObject({ session: sessionId.optional() }),
  output: z.object({
    ...SessionRow.shape,
    ...record.shape,
    decision: Decision.nullable(),
    asks: Question.nullable(),
    reported: Report.nullable(),
    evidence: z.array(z.string()),
  }),
  async run({ session }, { client, self }) {
    const found = await client.show({ session: session ?? self ?? "" });
    const { branch, created_at, stop_cause, exit, grant, lineage, decision, activity, question: asks, report: reported } = found;
    return {
      ...rowOf(found, Date.now()),
      ...{ branch, created_at, stop_cause, exit, grant, lineage, decision, asks, reported },
      evidence: activity.evidence.slice(0, 5),
    };
  },
});
