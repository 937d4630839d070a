import { Decision, Question, Report, SessionRecord } from "@tmpm/core";
import * as z from "zod";
import { rowOf } from "../rows.js";
import { SessionRow, sessionId } from "../schemas.js";
import { page } from "../shown.js";
import { READS, tool } from "../tool.js";

/** Bytes of a request's text. */
const SUBJECT = 4_000;

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
      ...{ branch, created_at, stop_cause, exit, grant, lineage, asks, reported },
      decision: decision === null ? null : { ...decision, subject: beginning(decision.subject) },
      evidence: activity.evidence.slice(0, 5),
    };
  },
});

function beginning(subject: string): string {
  const { text, next } = page(subject, { most: SUBJECT });
  return next === null ? text : `${text}\n... (cut; \`read_screen\` shows what the agent shows)`;
}
