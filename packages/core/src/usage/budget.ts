import * as z from "zod";
import { keepUnknown } from "../keep-unknown.js";
import { usedTokens } from "./count-answer.js";
import { sumOfTokens } from "./token-counts.js";
import type { BudgetKind, UsageRecord } from "./usage-record.js";

const bound = z.number().int().positive().nullable().default(null);

/** The usage at which a queue is held; null for no bound. `minutes` are those of turns. */
export const Budget = keepUnknown({ tokens: bound, turns: bound, minutes: bound });
export type Budget = z.infer<typeof Budget>;

/** The scope of a budget: one session, a session with its descendants, or the sessions of a project. */
export const BudgetScope = z.enum(["session", "lineage", "project"]);
export type BudgetScope = z.infer<typeof BudgetScope>;

/** The bounds to change: null removes one, an omitted one stays. */
export type BudgetWish = { readonly [K in BudgetKind]?: number | null | undefined };

/** A budget with some of its bounds changed; null when none is left. */
export function changedBudget(before: Budget | null, wished: BudgetWish): Budget | null {
  const of = (kind: BudgetKind) => (wished[kind] === undefined ? (before?.[kind] ?? null) : wished[kind]);
  const budget = { ...before, tokens: of("tokens"), turns: of("turns"), minutes: of("minutes") };
  return budget.tokens === null && budget.turns === null && budget.minutes === null ? null : budget;
}

/** The used part of one bound. */
export interface BudgetUse {
  readonly kind: BudgetKind;
  readonly limit: number;
  readonly used: number;
  /** 80 or 100 when that much of it is used, else 0. */
  readonly reached: 0 | 80 | 100;
}

/** Usage of a budget's sessions for each bound that is set. */
export function budgetUses(budget: Budget | null, sessions: readonly UsageRecord[]): readonly BudgetUse[] {
  const sum = (of: (usage: UsageRecord) => number) => sessions.reduce((total, usage) => total + of(usage), 0);
  const used = {
    tokens: () => sum((usage) => sumOfTokens(usedTokens(usage))),
    turns: () => sum(({ turns }) => turns),
    minutes: () => Math.floor(sum(({ worked_ms }) => worked_ms) / 60_000),
  };
  return (["tokens", "turns", "minutes"] as const).flatMap((kind) => {
    const limit = budget?.[kind] ?? null;
    if (limit === null) return [];
    const count = used[kind]();
    return [{ kind, limit, used: count, reached: reachedOf(count / limit) }];
  });
}

function reachedOf(share: number): BudgetUse["reached"] {
  if (share >= 1) return 100;
  return share >= 0.8 ? 80 : 0;
}
