import * as z from "zod";
import { msFromTimestamp, timestampFromMs } from "../time.js";
import { Timestamp } from "../timestamp.js";
import type { UsageLimit } from "../usage-limit.js";

/** That a session is to continue on its own after a usage limit. */
export const LimitResume = z.object({
  /** When its prompt is sent, or until when a person ended it; null while no limit shows. */
  due_at: Timestamp.nullable(),
  /** Prompts that were sent since a person did something last. */
  tries: z.number().int().nonnegative(),
  /** Nothing more is sent: a person did something, or all tries are used. */
  over: z.boolean(),
});
export type LimitResume = z.infer<typeof LimitResume>;

export interface LimitSeen {
  readonly nowMs: number;
  /** The limit that shows; null when none does. */
  readonly limit: Omit<UsageLimit, "source"> | null;
  /** The agent takes a prompt. */
  readonly rests: boolean;
  /** A person typed, answered or prompted since the last look, or has a terminal attached. */
  readonly person: boolean;
}

export interface LimitRules {
  readonly tries: number;
  /** How much later than the reset, so that not all sessions begin at one moment, in ms. */
  readonly laterMs: number;
}

/** A limit whose reset is not known is tried again after this long, and a try in vain likewise, each time twice as long. */
const AGAIN_MS = 30 * 60_000;

/** What becomes of the plan after a look, and whether the prompt is sent now. Pure: time comes in. */
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

/** What a person ended stays so until the limit has reset: the same limit, run into again, begins nothing new. */
function endedBy(
  limit: Pick<UsageLimit, "resets_at">,
  { plan, nowMs }: { readonly plan: LimitResume | null; readonly nowMs: number },
): LimitResume {
  const due_at = limit.resets_at ?? plan?.due_at ?? timestampFromMs(nowMs + AGAIN_MS);
  return { due_at, tries: 0, over: true };
}

/** Tries in vain count until a person does something: a limit that comes again and again is not run into for hours. */
function unlimited(plan: LimitResume | null, { person, nowMs }: Pick<LimitSeen, "person" | "nowMs">): LimitResume | null {
  if (plan === null) return null;
  const until = plan.due_at === null ? nowMs : msFromTimestamp(plan.due_at);
  if (person || (plan.over && plan.tries === 0)) return nowMs < until ? { due_at: plan.due_at, tries: 0, over: true } : null;
  // What hides the limit before its reset may be a person who begins to type.
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
