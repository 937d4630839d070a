import type { Budget } from "../record.js";
import { usedTokens } from "./count-answer.js";
import { sumOfTokens } from "./token-counts.js";
import type { BudgetKind, UsageRecord } from "./usage-record.js";

/** How much of one bound is used. */
export interface BudgetUse {
  readonly kind: BudgetKind;
  readonly limit: number;
  readonly used: number;
  /** 80 or 100 where so much of it is used, else 0. */
  readonly reached: 0 | 80 | 100;
}

/** What is used of each bound that is set. */
export function budgetUses(budget: Budget | null, usage: UsageRecord | null): readonly BudgetUse[] {
  const used = {
    tokens: usage === null ? 0 : sumOfTokens(usedTokens(usage)),
    turns: usage?.turns ?? 0,
    minutes: Math.floor((usage?.worked_ms ?? 0) / 60_000),
  };
  return (["tokens", "turns", "minutes"] as const).flatMap((kind) => {
    const limit = budget?.[kind] ?? null;
    return limit === null ? [] : [{ kind, limit, used: used[kind], reached: reachedOf(used[kind] / limit) }];
  });
}

function reachedOf(share: number): BudgetUse["reached"] {
  if (share >= 1) return 100;
  return share >= 0.8 ? 80 : 0;
}
