import {
  type AutoResume,
  compareTimestamps,
  msFromTimestamp,
  type SessionRecord,
  type StopCause,
  type Timestamp,
  timestampFromMs,
} from "@tmpm/core";
import type { Context } from "../context.js";
import { importedAt } from "../import/imported-record.js";

/** Number of automatic launches within the period after which a session is parked. */
const MOST_ATTEMPTS = 3;
const WITHIN_MS = 600_000;
/** Delay of each attempt; those after the third are for launches that fail for a transient reason. */
const BACK_OFF_MS = [1, 10, 60, 120, 240, 480, 960, 1_800].map((seconds) => seconds * 1_000);

export interface Resumption {
  readonly cause: StopCause;
  readonly plan: AutoResume | null;
}

export interface Ended {
  readonly record: SessionRecord;
  readonly exit: SessionRecord["exit"];
  /** The last look before the end showed a dialog that only a user answers. */
  readonly atDialog: boolean;
}

/**
 * The action for a session whose program ended by itself: launch it again later, leave it, or park it after too many failures. A program
 * that ends at a dialog was ended by a user, and is not launched again.
 */
export function resumeAfter(ctx: Pick<Context, "clock" | "settings">, ended: Ended): Resumption {
  if (ended.atDialog && ended.exit !== null && ended.exit.signal === null) return { cause: "deliberate", plan: null };
  if (!ctx.settings.autoResume || !wantsResume(ended)) return { cause: "unexpected", plan: null };
  const now = ctx.clock.now();
  const attempts = recentAttempts(ended.record, now);
  if (attempts.length >= MOST_ATTEMPTS) return { cause: "resume_flapping", plan: { attempts, next_at: null } };
  return { cause: "unexpected", plan: { attempts, next_at: timestampFromMs(now + backOffMs(attempts)) } };
}

export function backOffMs(attempts: AutoResume["attempts"]): number {
  return BACK_OFF_MS[Math.min(attempts.length, BACK_OFF_MS.length - 1)] ?? 0;
}

/**
 * A persistent, unpaused session launched by us. A program's own decision is respected: the end of a job or a shell; a failed agent
 * continues its conversation.
 */
function wantsResume({ record, exit }: Ended): boolean {
  if (record.adopted !== null || record.ephemeral || record.paused_at !== null || !launchedHere(record)) return false;
  if (exit === null || exit.signal !== null) return true;
  return exit.status !== 0 && exit.status !== null && record.conversation_id !== null;
}

function launchedHere(record: SessionRecord): boolean {
  const { launched_at } = record;
  if (launched_at === null) return false;
  const at = importedAt(record);
  return at === null || compareTimestamps(launched_at, at) > 0;
}

/** With another attempt; the oldest ones beyond those that lengthen the delay are dropped. */
export function withAttempt(attempts: AutoResume["attempts"], at: Timestamp): AutoResume["attempts"] {
  return [...attempts, { at, launched_at: null }].slice(-BACK_OFF_MS.length);
}

/** Attempts count while they are recent, and until a caller launches the session on purpose. If the clock was set back, none is recent. */
export function recentAttempts({ auto_resume, launched_at }: SessionRecord, nowMs: number): AutoResume["attempts"] {
  const attempts = auto_resume?.attempts ?? [];
  if (attempts.at(-1)?.launched_at !== launched_at) return [];
  return attempts.filter(({ at }) => {
    const age = nowMs - msFromTimestamp(at);
    return age >= 0 && age < WITHIN_MS;
  });
}

/** A session with a requested stop is not launched. */
export async function leaveAtRest(ctx: Pick<Context, "store">, record: SessionRecord): Promise<SessionRecord> {
  if (!isPlanned(record)) return record;
  return ctx.store.updateAnyway(record.id, (current) =>
    isPlanned(current) ? { ...current, stop_cause: "deliberate", auto_resume: null } : current,
  );
}

function isPlanned({ state, auto_resume }: SessionRecord): boolean {
  return state === "stopped" && auto_resume !== null && auto_resume.next_at !== null;
}
