import * as z from "zod";
import { msFromTimestamp, timestampFromMs } from "../time/time.js";
import { Timestamp } from "../time/timestamp.js";
import type { UsageLimit } from "./usage-limit.js";

/** A session's plan to continue automatically after a usage limit. */
export const LimitResume = z.object({
  /** When its prompt is sent, or until when a user stopped it; null while there is no limit. */
  due_at: Timestamp.nullable(),
  /** Prompts sent since the last user input. */
  tries: z.number().int().nonnegative(),
  /** Nothing more is sent: a user acted, or all tries are used. */
  over: z.boolean(),
});
export type LimitResume = z.infer<typeof LimitResume>;

export interface LimitSeen {
  readonly nowMs: number;
  /** The current limit; null when there is none. */
  readonly limit: Omit<UsageLimit, "source"> | null;
  /** Whether the agent accepts a prompt. */
  readonly rests: boolean;
  /** A user typed, answered or prompted since the last observation, or is attached. */
  readonly person: boolean;
}

export interface LimitRules {
  readonly tries: number;
  /** Delay after the reset, so that sessions do not all continue at once, in ms. */
  readonly laterMs: number;
}

/** Delay before trying a limit with unknown reset, and after a failed try, doubled each time. */
const AGAIN_MS = 30 * 60_000;

/** The plan after an observation, and whether to send the prompt now. Pure: time is an argument. */
export function afterLimitLook(
  plan: LimitResume | null,
  { seen, rules }: { readonly seen: LimitSeen; readonly rules: LimitRules },
): { readonly plan: LimitResume | null; readonly send: boolean } {
  const { limit, person, nowMs, rests } = seen;
  if (limit === null) return { plan: unlimited(plan, { person, nowMs }), send: false };
  const tries = plan?.tries ?? 0;
  if (person) return { plan: endedBy(limit, { plan, nowMs }), send: false };
  if (plan?.over === true && plan.tries === 0) return { plan, send: false };
  if (plan?.over === true || tries >= rules.tries) return { plan: { due_at: null, tries, over: true }, send: false };
  const dueMs = Math.max(plan?.due_at == null ? 0 : msFromTimestamp(plan.due_at), earliestMs(limit, { plan, rules, nowMs }));
  if (nowMs < dueMs || !rests) return { plan: { due_at: timestampFromMs(dueMs), tries, over: false }, send: false };
  const nextMs = nowMs + AGAIN_MS * 2 ** tries + rules.laterMs;
  return { plan: { due_at: timestampFromMs(nextMs), tries: tries + 1, over: false }, send: true };
}

/** A plan stopped by a user stays stopped until the limit has reset: hitting the same limit again starts nothing. */
function endedBy(
  limit: Pick<UsageLimit, "resets_at">,
  { plan, nowMs }: { readonly plan: LimitResume | null; readonly nowMs: number },
): LimitResume {
  const due_at = limit.resets_at ?? plan?.due_at ?? timestampFromMs(nowMs + AGAIN_MS);
  return { due_at, tries: 0, over: true };
}

/** Failed tries count until a user acts: a recurring limit is not retried for hours. */
function unlimited(plan: LimitResume | null, { person, nowMs }: Pick<LimitSeen, "person" | "nowMs">): LimitResume | null {
  if (plan === null) return null;
  const until = plan.due_at === null ? nowMs : msFromTimestamp(plan.due_at);
  if (person || (plan.over && plan.tries === 0)) return nowMs < until ? { due_at: plan.due_at, tries: 0, over: true } : null;
  // A limit that disappears before its reset may be hidden by a user who begins to type.
  if (nowMs < until) return plan;
  return plan.tries === 0 ? null : { due_at: null, tries: plan.tries, over: false };
}

function earliestMs(
  { resets_at }: Pick<UsageLimit, "resets_at">,
  { plan, rules, nowMs }: { readonly plan: LimitResume | null; readonly rules: LimitRules; readonly nowMs: number },
): number {
  if (resets_at !== null) return msFromTimestamp(resets_at) + rules.laterMs;
  return plan?.due_at == null ? nowMs + AGAIN_MS + rules.laterMs : 0;
}
