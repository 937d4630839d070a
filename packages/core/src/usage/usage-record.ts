import * as z from "zod";
import { SessionId } from "../id/ids.js";
import { Timestamp } from "../time/timestamp.js";
import { LimitResume } from "./limit-resume.js";
import { TokenCounts } from "./token-counts.js";

const count = z.number().int().nonnegative();

/** The reading position in one file. `file` is its device and inode, `state` the reader's state for the next lines. */
export const ReadFile = z.object({
  file: z.string(),
  /** In bytes: everything before it is counted. */
  offset: count,
  /** The offset is within a line, the rest of which is skipped. */
  torn: z.boolean().default(false),
  state: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).default({}),
});
export type ReadFile = z.infer<typeof ReadFile>;

/** Usage of one model on one day (UTC). */
export const UsageDay = z.object({
  day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  /** Null where the agent does not report it. */
  model: z.string().nullable(),
  /** Responses of the model. */
  requests: count,
  tokens: TokenCounts,
});
export type UsageDay = z.infer<typeof UsageDay>;

/** A response that may still be recounted: the agent rewrites it as it grows. */
export const RecentAnswer = z.object({ key: z.string(), day: z.string(), model: z.string().nullable(), tokens: TokenCounts });
export type RecentAnswer = z.infer<typeof RecentAnswer>;

/** Usage of the model's context window at the last response; `limit` is null when unknown. */
export const ContextFill = z.object({ tokens: count, limit: count.nullable() });
export type ContextFill = z.infer<typeof ContextFill>;

/** The file in which a protocol holder writes each turn's usage, in the folder of the session's launch. */
export const PROTOCOL_USAGE_FILE = "spoken-usage.jsonl";

/** The scope of a budget. */
export const BudgetKind = z.enum(["tokens", "turns", "minutes"]);
export type BudgetKind = z.infer<typeof BudgetKind>;

/** The reported percentage of one bound of a budget. */
export const BudgetReported = z.object({ kind: BudgetKind, limit: count, reached: z.union([z.literal(80), z.literal(100)]) });
export type BudgetReported = z.infer<typeof BudgetReported>;

/**
 * A session's usage, and how far its agent's record was read: one document, written as a whole, so that a crash neither loses nor
 * duplicates anything.
 */
export const UsageRecord = z.object({
  session_id: SessionId,
  files: z.record(z.string(), ReadFile).default({}),
  /** Bytes of files that were too long when first seen, and are not counted. */
  skipped_bytes: count.default(0),
  days: z.array(UsageDay).default([]),
  recent: z.array(RecentAnswer).default([]),
  /** Short digests of counted responses that are no longer in `recent`, oldest first. Earlier versions include those in `recent`. */
  seen: z.array(z.string()).default([]),
  context: ContextFill.nullable().default(null),
  /** The totals when the last turn ended. */
  told: TokenCounts.nullable().default(null),
  /** Number of ended turns, their total duration, and the last of them. */
  turns: count.default(0),
  worked_ms: count.default(0),
  last_turn: z.string().nullable().default(null),
  /** Reported percentages of the budget's bounds. */
  told_budget: z.array(BudgetReported).default([]),
  /** Likewise for the budget of its lineage. */
  told_lineage_budget: z.array(BudgetReported).default([]),
  limit_resume: LimitResume.nullable().default(null),
  updated_at: Timestamp,
});
export type UsageRecord = z.infer<typeof UsageRecord>;

/** The day (UTC) at the start of a text; null for an invalid day. */
export function isoDayOf(text: string): string | null {
  const day = text.slice(0, 10);
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day ? null : day;
}
