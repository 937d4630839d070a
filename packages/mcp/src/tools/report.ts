import { MESSAGE_LIMITS, ReportKind, TmpmError } from "@tmpm/core";
import * as z from "zod";
import { tool } from "../tool.js";

export const report = tool({
  name: "report",
  title: "Report",
  description:
    "Reports on your work to the session that started you, or to the user if none did: `done`, `blocked`, or a `note` in between. No session is prompted; `get_session` and `wait` show the report.",
  needs: "own",
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: z.strictObject({
    kind: ReportKind,
    text: z.string().min(1).max(MESSAGE_LIMITS.report),
    artifacts: z
      .array(z.string().min(1).max(MESSAGE_LIMITS.path))
      .max(MESSAGE_LIMITS.artifacts)
      .default([])
      .describe("Files, branches or addresses that it refers to."),
  }),
  output: z.object({ report: z.string().describe("Its id."), to: z.string().nullable().describe("A session; null for the user.") }),
  async run(input, { client, self }) {
    if (self === null) throw new TmpmError("INVALID_ARGUMENT", "there is no session to report for");
    const { id, to } = await client.report({ session: self, ...input });
    return { report: id, to };
  },
});
