import { ActivityState, SessionState } from "@tmpm/core";
import * as z from "zod";
import { rowOf } from "../rows.js";
import { cursor, next, SessionRow } from "../schemas.js";
import { fitting, MOST_BYTES } from "../shown.js";
import { READS, tool } from "../tool.js";

const USUAL = 10;
/** Bytes around the rows. */
const SPARE = 200;

export const listSessions = tool({
  name: "list_sessions",
  title: "List sessions",
  description: "The sessions that you may see, newest first, each with its activity, and the source and age of that information.",
  needs: "read",
  hints: READS,
  input: z.strictObject({
    activity: z.array(ActivityState).min(1).optional().describe("Only sessions with one of these activities."),
    state: z.array(SessionState).min(1).optional(),
    agent: z.array(z.string()).min(1).optional(),
    q: z.string().min(1).max(1000).optional().describe("Words in the name, task, directory, branch or issue."),
    all: z.boolean().optional().describe("Include finished sessions."),
    limit: z.number().int().min(1).max(12).default(USUAL),
    cursor,
  }),
  output: z.object({ sessions: z.array(SessionRow), next }),
  async run(input, { client }) {
    for (let { limit } = input; ; ) {
      // Rows and cursor belong to the same answer: the list may change between two.
      const { sessions, next } = await client.list({ ...input, limit });
      const rows = sessions.map((session) => rowOf(session, Date.now()));
      const { length } = fitting(rows, MOST_BYTES - SPARE);
      if (length === rows.length) return { sessions: rows, next };
      limit = length;
    }
  },
});
