import * as z from "zod";
import { SessionId } from "../ids.js";
import { Timestamp } from "../timestamp.js";
import { LimitResume } from "./limit-resume.js";
import { TokenCounts } from "./token-counts.js";

const count = z.number().int().nonnegative();

/** How far one file has been read. `file` is its device and inode, `state` what its reader needs for the lines that follow. */
export const ReadFile = z.object({
  file: z.string(),
  /** In bytes: everything before it is counted. */
  offset: count,
  /** The offset is in the middle of a line, the rest of which is passed over. */
  torn: z.boolean().default(false),
  state: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).default({}),
});
export type ReadFile = z.infer<typeof ReadFile>;

/** What one model was asked for on one day (UTC). */
export const UsageDay = z.object({
  day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  /** Null where the agent does not report it. */
  model: z.string().nullable(),
  /** Answers of the model. */
  requests: count,
  tokens: TokenCounts,
});
export type UsageDay = z.infer<typeof UsageDay>;

/** An answer that may still be counted anew: the agent writes it again as it grows. */
export const RecentAnswer = z.object({ key: z.string(), day: z.string(), model: z.string().nullable(), tokens: TokenCounts });
export type RecentAnswer = z.infer<typeof RecentAnswer>;

/** How full the model's context window was at the last answer; `limit` null where the agent does not say. */
export const ContextFill = z.object({ tokens: count, limit: count.nullable() });
export type ContextFill = z.infer<typeof ContextFill>;

/** Where the holder of a conversation writes what each turn used, in the folder of the session's launch. */
export const SPOKEN_USAGE_FILE = "spoken-usage.jsonl";

/** What a budget bounds. */
export const BudgetKind = z.enum(["tokens", "turns", "minutes"]);
export type BudgetKind = z.infer<typeof BudgetKind>;

/** How much of one bound of a budget was reported. */
export const BudgetReported = z.object({ kind: BudgetKind, limit: count, reached: z.union([z.literal(80), z.literal(100)]) });
export type BudgetReported = z.infer<typeof BudgetReported>;

/**
 * What a session has used, and how far its agent's record was read for that: one document, written as a whole, so that a crash neither loses nor doubles
 * anything.
 */
export const UsageRecord = z.object({
  session_id: SessionId,
  files: z.record(z.string(), ReadFile).default({}),
  /** Bytes of files that were too long when they were first seen, and are not counted. */
  skipped_bytes: count.default(0),
  days: z.array(UsageDay).default([]),
  recent: z.array(RecentAnswer).default([]),
  /** Short digests of the answers that are counted, oldest first. */
  seen: z.array(z.string()).default([]),
  context: ContextFill.nullable().default(null),
  /** The totals when the last turn ended. */
  told: TokenCounts.nullable().default(null),
  /** Turns that ended, for how long they ran, and the last of them. */
  turns: count.default(0),
  worked_ms: count.default(0),
  last_turn: z.string().nullable().default(null),
  /** What was reported of each bound of the budget. */
  told_budget: z.array(BudgetReported).default([]),
  /** The same of the budget of its lineage. */
  told_lineage_budget: z.array(BudgetReported).default([]),
  limit_resume: LimitResume.nullable().default(null),
  updated_at: Timestamp,
});
export type UsageRecord = z.infer<typeof UsageRecord>;

/** The day (UTC) of a text that begins with one; null for a day that no calendar has. */
export function isoDayOf(text: string): string | null {
  const day = text.slice(0, 10);
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day ? null : day;
}
