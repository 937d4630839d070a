import * as z from "zod";
import { type Contract, none, session } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";
import { SessionAnswer } from "./session.js";

/** `interrupted`: the end of the turn was observed. `not_working`: there was no turn. `unconfirmed`: the keys were sent, and the agent is still working. */
const InterruptOutcome = z.enum(["interrupted", "not_working", "unconfirmed"]);

export const InterruptAnswer = SessionAnswer.extend({
  outcome: InterruptOutcome,
  evidence: z.array(z.string()).describe("What was observed, as text."),
});
export type InterruptAnswer = z.infer<typeof InterruptAnswer>;

export const PauseBody = z.strictObject({
  summary: z.string().optional(),
  interrupt: z.boolean().optional().describe("Also interrupt the running turn."),
});
export type PauseBody = z.input<typeof PauseBody>;

export const PauseAnswer = SessionAnswer.extend({
  interrupt: z
    .object({ outcome: z.enum([...InterruptOutcome.options, "refused"]), evidence: z.array(z.string()) })
    .nullable()
    .describe("Result of the interrupt; null if none was requested. The session is paused in any case."),
});
export type PauseAnswer = z.infer<typeof PauseAnswer>;

const common = { scope: "operator", params: session, query: none, status: 200 } as const;

export const PAUSE_ROUTES = {
  pause: {
    method: "POST",
    path: "/v1/sessions/:session/pause",
    ...common,
    summary: "Pauses a session's queue and all automation; its process keeps running",
    body: PauseBody,
    answer: PauseAnswer,
    errors: ["INVALID_STATE", "SESSION_BLOCKED", "INVALID_TEXT", ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    conditional: true,
    example: {
      params: { session: "demo" },
      body: { summary: "until the review" },
      answer: {
        ...EXAMPLE_SESSION,
        status: "Paused",
        paused_at: "2026-01-02T03:04:05Z",
        pause_summary: "until the review",
        interrupt: null,
      },
    },
  },
  interrupt: {
    method: "POST",
    path: "/v1/sessions/:session/interrupt",
    ...common,
    acting: "control",
    summary: "Interrupts the running turn",
    body: none,
    answer: InterruptAnswer,
    errors: ["INVALID_STATE", "SESSION_BLOCKED", "PANE_IN_MODE", ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    example: {
      params: { session: "demo" },
      answer: { ...EXAMPLE_SESSION, outcome: "not_working", evidence: ["the agent is ready for input"] },
    },
  },
} as const satisfies Record<string, Contract>;
