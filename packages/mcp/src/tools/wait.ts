import { WaitUntil } from "@tmpm/api";
import { hasCode, type TmpmError } from "@tmpm/core";
import * as z from "zod";
import { rowOf } from "../rows.js";
import { SessionRow, sessionId } from "../schemas.js";
import { READS, tool } from "../tool.js";

const MOST_S = 25;
const MOST_SESSIONS = 12;

/** The states in which a session needs the user, or is idle. */
const USUAL = ["question", "idle", "awaiting_approval", "awaiting_input", "blocked", "errored", "exited"] as const;

const Waited = z.object({
  status: z.enum(["changed", "pending", "over"]),
  sessions: z.array(SessionRow),
  reason: z.string().nullable().describe("Why no session is returned; null if some are."),
  next: z.string().nullable().describe("`cursor` with which the next call misses no state in between; null unless `pending`."),
});
type Waited = z.input<typeof Waited>;

export const wait = tool({
  name: "wait",
  title: "Wait for sessions",
  description:
    "Waits up to 25 seconds until a session is in one of the states. `status` is `changed` with the sessions that are, `over` when none of them can reach it, or `pending` when none has yet: call again with `next` as `cursor`, which also finds a state that a session was in between the two calls. It never fails because of a timeout.",
  needs: "read",
  hints: READS,
  input: z.strictObject({
    sessions: z.array(sessionId).min(1).max(MOST_SESSIONS),
    until: z
      .array(WaitUntil)
      .min(1)
      .default([...USUAL]),
    mode: z.enum(["any", "all"]).default("any"),
    cursor: z
      .string()
      .regex(/^\d{1,15}$/)
      .optional()
      .describe("`next` of the previous call, with the same sessions and states."),
    seconds: z.number().min(0).max(MOST_S).default(20),
  }),
  output: Waited,
  async run({ sessions, until, mode, seconds, cursor }, { client, signal, waitedMs }): Promise<Waited> {
    const timeout_ms = Math.max(0, Math.round(seconds * 1000 - waitedMs));
    const after = cursor === undefined ? {} : { after: Number(cursor) };
    try {
      const met = await client.waitMany({ sessions, until, mode, timeout_ms, ...after }, { timeoutMs: timeout_ms + 5_000, signal });
      return { status: "changed", sessions: met.sessions.map((session) => rowOf(session, Date.now())), reason: null, next: null };
    } catch (error) {
      if (hasCode(error, "TIMEOUT"))
        return { status: "pending", sessions: [], reason: error.message.slice(0, 2_000), next: nextOf(error) ?? cursor ?? null };
      if (hasCode(error, "INVALID_STATE")) return { status: "over", sessions: [], reason: error.message.slice(0, 2_000), next: null };
      throw error;
    }
  },
  unreachable: ({ cursor }): Waited => ({
    status: "pending",
    sessions: [],
    reason: "tmpm's daemon does not answer at the moment; sessions keep running",
    next: cursor ?? null,
  }),
});

function nextOf({ details }: TmpmError): string | null {
  return typeof details.after === "number" ? String(details.after) : null;
}
