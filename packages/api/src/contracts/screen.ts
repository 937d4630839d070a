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

export const SCREEN_ROUTES = {
  capture: {
    scope: "observer",
    params: session,
    query: z.strictObject({ history: count(0, 100_000).optional() }),
    body: null,
    status: 200,
    answer: ScreenAnswer,
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
