import { Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, count, none, session } from "./contract.js";
import { SessionAnswer } from "./session.js";

export const ScreenAnswer = z.object({
  lines: z.array(z.string()),
  columns: z.number().int(),
  rows: z.number().int(),
  cursor: z.object({ column: z.number().int(), row: z.number().int(), visible: z.boolean() }),
  title: z.string(),
  /** False for the last lines of a session that has ended. */
  live: z.boolean(),
  captured_at: Timestamp,
});
export type ScreenAnswer = z.infer<typeof ScreenAnswer>;

/** `idle`: the agent is ready for input. `exited`: the session's program has ended. */
export const WaitUntil = z.enum(["idle", "exited"]);
export type WaitUntil = z.infer<typeof WaitUntil>;

export const SCREEN_ROUTES = {
  capture: {
    scope: "observer",
    params: session,
    query: z.strictObject({ history: count(0, 100_000).optional() }),
    body: null,
    status: 200,
    answer: ScreenAnswer,
  },
  wait: {
    scope: "observer",
    params: session,
    query: z.strictObject({ until: WaitUntil.default("idle"), timeout_ms: count(0, 3_600_000).default(30_000) }),
    body: null,
    status: 200,
    answer: SessionAnswer,
  },
  attach: {
    scope: "operator",
    params: session,
    query: none,
    body: null,
    status: 200,
    answer: z.object({ argv: z.array(z.string()).min(1), session: SessionAnswer }),
  },
} as const satisfies Record<string, Contract>;
