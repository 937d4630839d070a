import * as z from "zod";
import { SessionId } from "../id/ids.js";
import { keepUnknown } from "../keep-unknown.js";
import { Timestamp } from "../time/timestamp.js";

/** Limits of a session's messages, in characters and in number. */
export const MESSAGE_LIMITS = {
  question: 4_000,
  choices: 10,
  choice: 200,
  answer: 8_000,
  report: 8_000,
  artifacts: 20,
  path: 1_000,
} as const;

/** An answer to a question: text, or one of its choices, whose label is then the text. */
export const GivenAnswer = z.object({
  text: z.string(),
  /** Counted from 1; null for a text answer. */
  choice: z.number().int().positive().nullable(),
  /** The session that answered; null for a user. */
  by: SessionId.nullable(),
  at: Timestamp,
  /** Delivery to the agent: to a waiting caller, as a prompt, or kept until the agent asks for it. */
  delivery: z.enum(["waiting", "prompt", "kept"]),
  /** The turn that delivered it; null while there is none. */
  turn_id: z.string().nullable(),
  /** When the session fetched it; null until then. */
  collected_at: Timestamp.nullable(),
});
export type GivenAnswer = z.infer<typeof GivenAnswer>;

/** A question of a session to a user, apart from its agent's questions on the screen. */
export const Question = z.object({
  id: z.string(),
  session_id: SessionId,
  question: z.string(),
  choices: z.array(z.string()),
  asked_at: Timestamp,
  answer: GivenAnswer.nullable(),
  /** When the session withdrew it; null unless it did. */
  withdrawn_at: Timestamp.nullable(),
});
export type Question = z.infer<typeof Question>;

export const ReportKind = z.enum(["done", "blocked", "note"]);
export type ReportKind = z.infer<typeof ReportKind>;

/** A session's report on its work, to its parent session or to a user. */
export const Report = z.object({
  id: z.string(),
  session_id: SessionId,
  kind: ReportKind,
  text: z.string(),
  /** Files, branches or addresses that it names. */
  artifacts: z.array(z.string()),
  /** The session that started it; null for a user. */
  to: SessionId.nullable(),
  at: Timestamp,
});
export type Report = z.infer<typeof Report>;

/** A session's questions and reports, oldest first. */
export const SessionMessages = keepUnknown({
  schema_version: z.literal(1),
  questions: z.array(Question),
  reports: z.array(Report),
});
export type SessionMessages = z.infer<typeof SessionMessages>;

export function isOpen({ answer, withdrawn_at }: Pick<Question, "answer" | "withdrawn_at">): boolean {
  return answer === null && withdrawn_at === null;
}
