import * as z from "zod";
import { SessionId } from "./ids.js";
import { keepUnknown } from "./keep-unknown.js";
import { Timestamp } from "./timestamp.js";

/** What a session may say at most, in characters and in number. */
export const MESSAGE_LIMITS = {
  question: 4_000,
  choices: 10,
  choice: 200,
  answer: 8_000,
  report: 8_000,
  artifacts: 20,
  path: 1_000,
} as const;

/** An answer to a question: in words, or as one of its choices, which then are the words. */
export const GivenAnswer = z.object({
  text: z.string(),
  /** Counted from 1; null for an answer in words. */
  choice: z.number().int().positive().nullable(),
  /** The session that answered; null for a person. */
  by: SessionId.nullable(),
  at: Timestamp,
  /** How it reaches the agent: it was waited for, it was sent as a prompt, or it is kept until the agent asks for it. */
  delivery: z.enum(["waiting", "prompt", "kept"]),
  /** The turn by which it was sent; null while it has none. */
  turn_id: z.string().nullable(),
  /** When the session asked for it and got it; null until it did. */
  collected_at: Timestamp.nullable(),
});
export type GivenAnswer = z.infer<typeof GivenAnswer>;

/** What a session asks a person in so many words, beside what its agent asks on its screen. */
export const Question = z.object({
  id: z.string(),
  session_id: SessionId,
  question: z.string(),
  choices: z.array(z.string()),
  asked_at: Timestamp,
  answer: GivenAnswer.nullable(),
  /** When the session took it back; null unless it did. */
  withdrawn_at: Timestamp.nullable(),
});
export type Question = z.infer<typeof Question>;

export const ReportKind = z.enum(["done", "blocked", "note"]);
export type ReportKind = z.infer<typeof ReportKind>;

/** What a session says of its work, to the session that started it or to a person. */
export const Report = z.object({
  id: z.string(),
  session_id: SessionId,
  kind: ReportKind,
  text: z.string(),
  /** Files, branches or addresses that it names. */
  artifacts: z.array(z.string()),
  /** The session that started it; null for a person. */
  to: SessionId.nullable(),
  at: Timestamp,
});
export type Report = z.infer<typeof Report>;

/** What a session asked and reported, oldest first. */
export const SessionMessages = keepUnknown({
  schema_version: z.literal(1),
  questions: z.array(Question),
  reports: z.array(Report),
});
export type SessionMessages = z.infer<typeof SessionMessages>;

export function isOpen({ answer, withdrawn_at }: Pick<Question, "answer" | "withdrawn_at">): boolean {
  return answer === null && withdrawn_at === null;
}
