import { ActivitySource, ActivityState, Decision, Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, project, session } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";
import { SessionAnswer } from "./session.js";

/** One piece of evidence about a session. `weight` is between 0 and 1; `decides` marks the evidence that determines the current activity. */
export const EvidenceAnswer = z.object({
  source: ActivitySource,
  state: ActivityState.nullable(),
  what: z.string(),
  weight: z.number(),
  first_at: Timestamp,
  last_at: Timestamp,
  times: z.number().int().positive(),
  decides: z.boolean(),
});
export type EvidenceAnswer = z.infer<typeof EvidenceAnswer>;

export const WhyAnswer = z.object({
  session: SessionAnswer,
  evidence: z.array(EvidenceAnswer).describe("Newest first."),
  would_change: z.array(z.string()).describe("In words."),
  hooks: z
    .object({ supported: z.boolean(), heard_at: Timestamp.nullable() })
    .describe("Whether the agent reports its events, and when it last did."),
});
export type WhyAnswer = z.infer<typeof WhyAnswer>;

/** The session that most needs attention, with its `decision`; null if there is none. */
export const NextAnswer = z.object({ session: SessionAnswer.nullable() });
export type NextAnswer = z.infer<typeof NextAnswer>;

/** `approve` allows the action once. Choices count from 1. */
export const AnswerGiven = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("approve") }),
  z.strictObject({ kind: z.literal("deny") }),
  z.strictObject({ kind: z.literal("choice"), number: z.number().int().min(1).max(99) }),
  z.strictObject({ kind: z.literal("text"), text: z.string().min(1) }),
]);
export type AnswerGiven = z.infer<typeof AnswerGiven>;

export const AnswerBody = z.strictObject({
  decision_id: z
    .string()
    .min(6)
    .describe("Id of the decision to answer, or a prefix of it, so that only a decision that the caller has seen is answered."),
  answer: AnswerGiven,
});

/** `answered`: the question disappeared from the screen. `unconfirmed`: the keys were sent without an observed effect. */
export const AnsweredAnswer = z.object({
  session: SessionAnswer,
  decision: Decision,
  outcome: z.enum(["answered", "unconfirmed"]),
  answer: z.string().describe("Label of the chosen option, never typed text."),
  evidence: z.array(z.string()),
});
export type AnsweredAnswer = z.infer<typeof AnsweredAnswer>;

/** `payload` is the agent's input for its hook; `at_ms` is the time of the call, in milliseconds since 1970. */
export const HookBody = z.object({ payload: z.unknown(), at_ms: z.number().nonnegative().optional() });

export const HookAnswer = z.object({ taken: z.boolean(), reason: z.string().nullable() });

const EXAMPLE_DECISION: Decision = {
  id: "9b2f5d8c-1f0e-4a57-8a47-0d2b6f2f7c11",
  session_id: EXAMPLE_SESSION.id,
  agent: "claude",
  kind: "approval",
  tool: "Bash",
  subject: "npm test",
  choices: [
    { label: "Yes", answerable: true, takes_text: false },
    { label: "No", answerable: true, takes_text: false },
  ],
  screen_digest: null,
  since: "2026-01-02T03:04:05Z",
};

export const DECISION_ROUTES = {
  why: {
    method: "GET",
    path: "/v1/sessions/:session/why",
    scope: "observer",
    acting: "read",
    summary: "Explains a session's state, and what would change it",
    params: session,
    query: none,
    body: null,
    status: 200,
    answer: WhyAnswer,
    errors: [],
    example: {
      params: { session: "demo" },
      answer: {
        session: EXAMPLE_SESSION,
        evidence: [
          {
            source: "screen",
            state: "idle",
            what: "a prompt is on the last line",
            weight: 0.9,
            first_at: "2026-01-02T03:04:05Z",
            last_at: "2026-01-02T03:04:05Z",
            times: 1,
            decides: true,
          },
        ],
        would_change: ["a screen with other content"],
        hooks: { supported: false, heard_at: null },
      },
    },
  },
  next: {
    method: "GET",
    path: "/v1/next",
    scope: "observer",
    summary: "The session that most needs attention",
    params: none,
    query: z.strictObject({ project_id: project.optional() }),
    body: null,
    status: 200,
    answer: NextAnswer,
    errors: ["PROJECT_NOT_FOUND"],
    example: { answer: { session: null } },
  },
  answer: {
    method: "POST",
    path: "/v1/sessions/:session/answer",
    scope: "operator",
    summary: "Answers a pending decision of a session's agent, once, and only while the screen shows it",
    params: session,
    query: none,
    body: AnswerBody,
    status: 200,
    answer: AnsweredAnswer,
    errors: ["DECISION_GONE", "SESSION_BLOCKED", "INVALID_STATE", ...MAY_FAIL.TYPING, ...MAY_FAIL.PANE, ...MAY_FAIL.TMUX],
    example: {
      params: { session: "demo" },
      body: { decision_id: EXAMPLE_DECISION.id, answer: { kind: "approve" } },
      answer: {
        session: EXAMPLE_SESSION,
        decision: EXAMPLE_DECISION,
        outcome: "answered",
        answer: "Yes",
        evidence: ["the question is gone"],
      },
    },
  },
  hook: {
    method: "POST",
    path: "/v1/sessions/:session/hook",
    scope: "session",
    summary: "Receives an agent hook's report on its session",
    description: "Accepts only the token of the session's launch, as `Authorization: Bearer TOKEN`.",
    params: session,
    query: none,
    body: HookBody,
    status: 200,
    answer: HookAnswer,
    errors: ["TOKEN_REFUSED"],
    example: {
      params: { session: EXAMPLE_SESSION.id },
      body: { payload: { hook_event_name: "Stop" }, at_ms: 1_767_323_045_000 },
      answer: { taken: true, reason: null },
    },
  },
} as const satisfies Record<string, Contract>;
