import { ActivitySource, ActivityState, Decision, Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none, session } from "./contract.js";
import { SessionAnswer } from "./session.js";

/** One thing that was seen or heard of a session. `weight` lies between 0 and 1; `decides` marks what the belief rests on now. */
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
  /** Newest first. */
  evidence: z.array(EvidenceAnswer),
  /** In words. */
  would_change: z.array(z.string()),
  /** Whether the agent reports its events, and when it last did. */
  hooks: z.object({ supported: z.boolean(), heard_at: Timestamp.nullable() }),
});
export type WhyAnswer = z.infer<typeof WhyAnswer>;

/** The session that needs somebody most, with its `decision`; null when none does. */
export const NextAnswer = z.object({ session: SessionAnswer.nullable() });
export type NextAnswer = z.infer<typeof NextAnswer>;

/** `approve` allows once and nothing more. Choices count from 1. */
export const AnswerGiven = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("approve") }),
  z.strictObject({ kind: z.literal("deny") }),
  z.strictObject({ kind: z.literal("choice"), number: z.number().int().min(1).max(99) }),
  z.strictObject({ kind: z.literal("text"), text: z.string().min(1) }),
]);
export type AnswerGiven = z.infer<typeof AnswerGiven>;

export const AnswerBody = z.strictObject({
  /** The decision that is meant, or the beginning of its id: nothing is answered that the caller has not seen. */
  decision_id: z.string().min(6),
  answer: AnswerGiven,
});

/** `answered`: the question is gone from the screen. `unconfirmed`: the keys were pressed, and nothing showed that they acted. */
export const AnsweredAnswer = z.object({
  session: SessionAnswer,
  decision: Decision,
  outcome: z.enum(["answered", "unconfirmed"]),
  /** The label of what was chosen, never typed text. */
  answer: z.string(),
  evidence: z.array(z.string()),
});
export type AnsweredAnswer = z.infer<typeof AnsweredAnswer>;

/** `payload` is what the agent gave its hook; `at_ms` when it called it, in milliseconds since 1970. */
export const HookBody = z.object({ payload: z.unknown(), at_ms: z.number().nonnegative().optional() });

export const HookAnswer = z.object({ taken: z.boolean(), reason: z.string().nullable() });

export const DECISION_ROUTES = {
  why: { scope: "observer", params: session, query: none, body: null, status: 200, answer: WhyAnswer },
  next: {
    scope: "observer",
    params: none,
    query: z.strictObject({ project_id: z.string().optional() }),
    body: null,
    status: 200,
    answer: NextAnswer,
  },
  answer: { scope: "operator", params: session, query: none, body: AnswerBody, status: 200, answer: AnsweredAnswer },
  /** Takes the token of the session's launch as `Authorization: Bearer TOKEN`, and nothing else. */
  hook: { scope: "session", params: session, query: none, body: HookBody, status: 200, answer: HookAnswer },
} as const satisfies Record<string, Contract>;
