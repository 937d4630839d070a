import type { UsageAnswer } from "@tmpm/api";
import { addTokens, estimateCost, NO_TOKENS } from "@tmpm/core";
import type { ModelUsage, Usage } from "@tmpm/supervisor";
import type { Prices } from "./prices.js";

type Sums = UsageAnswer["total"];

/** Counts with their estimated cost. */
export function usageAnswer({ by, groups, budgets }: Usage, { table, path, fault }: Prices): UsageAnswer {
  const priced = ({ model, requests, tokens }: ModelUsage) => ({
    model,
    requests,
    tokens,
    cost_usd: estimateCost(table, { model, tokens }),
  });
  const answered = groups.map(({ key, name, models, context, skipped_bytes }) => {
    const each = models.map(priced);
    return { key, name, ...sumsOf(each), models: each, context, skipped_bytes };
  });
  return {
    by,
    groups: answered,
    total: sumsOf(answered.flatMap(({ models }) => models)),
    budgets: budgets.flatMap(({ scope, id, name, uses }) =>
      uses.map(({ kind, limit, used }) => ({ scope, id, name, kind, limit, used, remaining: Math.max(0, limit - used) })),
    ),
    prices: { date: table.date, source: table.source, path, fault },
  };
}

function sumsOf(models: UsageAnswer["groups"][number]["models"]): Sums {
  const costs = models.flatMap(({ cost_usd }) => cost_usd ?? []);
  const unpriced = models.flatMap(({ model, cost_usd }) => (cost_usd === null ? [model ?? "unknown"] : []));
  return {
    requests: models.reduce((sum, { requests }) => sum + requests, 0),
    tokens: models.reduce((sum, { tokens }) => addTokens(sum, tokens), NO_TOKENS),
    cost_usd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    unpriced_models: [...new Set(unpriced)].toSorted(),
  };
}
