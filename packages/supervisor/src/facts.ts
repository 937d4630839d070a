import type { Activity, SessionRecord, Timestamp } from "@tmpm/core";
import type { Context } from "./context.js";
import { believedActivity } from "./observations.js";

/** A session as the supervisor answers it: the record, and what is believed now. */
export interface SessionFacts {
  readonly record: SessionRecord;
  readonly activity: Activity;
  readonly viewers: number;
  readonly hint: string | null;
  /** The last proof of life. */
  readonly lastSeen: Timestamp;
}

export function factsOf(ctx: Context, record: SessionRecord): SessionFacts {
  const observed = record.state === "active" ? ctx.observations.get(record.id) : undefined;
  const activity = believedActivity(record, { observed, nowMs: ctx.clock.now() });
  return {
    record,
    activity,
    viewers: observed?.pane.viewers ?? 0,
    hint: observed?.reading.hint ?? null,
    lastSeen: observed?.activity.observed_at ?? record.last_activity_at ?? record.updated_at,
  };
}
