import * as z from "zod";
import { type Contract, none, session } from "./contract.js";
import { SessionAnswer } from "./session.js";

/** `interrupted`: the turn was seen to end. `not_working`: there was none. `unconfirmed`: the keys were pressed, and it still works. */
const InterruptOutcome = z.enum(["interrupted", "not_working", "unconfirmed"]);

export const InterruptAnswer = SessionAnswer.extend({
  outcome: InterruptOutcome,
  /** What was seen, in words. */
  evidence: z.array(z.string()),
});
export type InterruptAnswer = z.infer<typeof InterruptAnswer>;

export const PauseBody = z.strictObject({
  summary: z.string().optional(),
  /** Also break off the running turn. */
  interrupt: z.boolean().optional(),
});
export type PauseBody = z.input<typeof PauseBody>;

export const PauseAnswer = SessionAnswer.extend({
  /** What became of the interrupt; null when none was asked for. The session is paused whatever became of it. */
  interrupt: z.object({ outcome: z.enum([...InterruptOutcome.options, "refused"]), evidence: z.array(z.string()) }).nullable(),
});
export type PauseAnswer = z.infer<typeof PauseAnswer>;

const common = { scope: "operator", params: session, query: none, status: 200 } as const;

export const PAUSE_ROUTES = {
  pause: { ...common, body: PauseBody, answer: PauseAnswer },
  interrupt: { ...common, body: none, answer: InterruptAnswer },
} as const satisfies Record<string, Contract>;
