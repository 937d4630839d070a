import * as z from "zod";
import { rowOf } from "../rows.js";
import { SessionRow, sessionId } from "../schemas.js";
import { tool } from "../tool.js";

export const stopSession = tool({
  name: "stop_session",
  title: "Stop a session",
  description: "Ends the program of a session that you started, or of one of its descendants. Its directory, results and record are kept.",
  needs: "grant",
  hints: { readOnly: false, destructive: true, idempotent: true },
  input: z.strictObject({ session: sessionId }),
  output: z.object({ session: SessionRow, survivors: z.array(z.number().int()).describe("Processes that did not end, by pid.") }),
  async run({ session }, { client }) {
    const { survivors, ...stopped } = await client.stop({ session });
    return { survivors, session: rowOf(stopped, Date.now()) };
  },
});
