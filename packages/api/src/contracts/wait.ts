import { ActivityState } from "@tmpm/core";
import * as z from "zod";
import { type Contract, count, none, session } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";
import { SessionAnswer } from "./session.js";

/** `idle`: the agent is ready for input. `exited`: the session's program has ended. `question`: it asks in its own words. `unknown` cannot be waited for. */
export const WaitUntil = z.enum([...ActivityState.exclude(["unknown"]).options, "question"]);
export type WaitUntil = z.infer<typeof WaitUntil>;

/** Several in a query, comma-separated. */
const separated = z.union([z.array(z.string()), z.string().transform((text) => text.split(","))]);

/** Any of these states ends the wait. */
const until = separated.pipe(z.array(WaitUntil).min(1)).default(["idle"]);
const timeout_ms = count(0, 3_600_000).default(30_000);

/** With `all`, every requested session; with `any`, those that reached a state. */
export const WaitAnswer = z.object({ sessions: z.array(SessionAnswer) });
export type WaitAnswer = z.infer<typeof WaitAnswer>;

export const WAIT_ROUTES = {
  wait: {
    method: "GET",
    path: "/v1/sessions/:session/wait",
    scope: "observer",
    acting: "read",
    summary: "Waits until a session is in a state",
    description: "`until` takes several states, separated by commas.",
    params: session,
    query: z.strictObject({ until, timeout_ms }),
    body: null,
    waits: true,
    status: 200,
    answer: SessionAnswer,
    errors: ["TIMEOUT", "INVALID_STATE"],
    example: { params: { session: "demo" }, query: { until: "idle,exited", timeout_ms: "30000" }, answer: EXAMPLE_SESSION },
  },
  waitMany: {
    method: "GET",
    path: "/v1/wait",
    scope: "observer",
    acting: "read",
    summary: "Waits until all, or any, of several sessions are in a state",
    description: "`TIMEOUT` has `details.after`; a wait with it also counts the states reached since then, even briefly.",
    params: none,
    query: z.strictObject({
      sessions: separated.pipe(z.array(z.string().min(1)).min(1).max(1000)),
      mode: z.enum(["any", "all"]).default("all"),
      until,
      timeout_ms,
      after: count(0, Number.MAX_SAFE_INTEGER)
        .optional()
        .describe("Number of an event, such as `details.after` of an earlier wait: states reached since then count."),
    }),
    body: null,
    waits: true,
    status: 200,
    answer: WaitAnswer,
    errors: ["TIMEOUT", "INVALID_STATE", ...MAY_FAIL.SESSION],
    example: { query: { sessions: "demo,api", mode: "any", until: "idle" }, answer: { sessions: [EXAMPLE_SESSION] } },
  },
} as const satisfies Record<string, Contract>;
