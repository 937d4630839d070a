import { budgetUses, type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import type { Hold } from "../delivery/running.js";

/** Why a session's queue is held; null while something of its budget is left, or it has none. */
export function budgetHold(ctx: Context, { id, name, budget }: SessionRecord): Hold | null {
  if (budget === null) return null;
  const spent = budgetUses(budget, ctx.usage.get(id)).filter(({ reached }) => reached === 100);
  const [first] = spent;
  if (first === undefined) return null;
  return {
    reason: "budget",
    evidence: spent.map(({ kind: what, used, limit }) => `its budget is used up: ${used} of ${limit} ${what}`),
    hint: `\`tmpm set ${name} --budget-${first.kind} N\` raises it; \`tmpm send --now\` types all the same.`,
  };
}

/** Tells, once each, that much of a bound is used, and that all of it is. A bound that was changed is reported again. */
export function tellBudget(ctx: Context, { id, project_id, budget }: SessionRecord): void {
  if (budget === null) return;
  const usage = ctx.usage.of(id);
  const told = budgetUses(budget, usage).flatMap(({ kind, limit, reached }) => (reached === 0 ? [] : [{ kind, limit, reached }]));
  const news = budgetUses(budget, usage).filter(({ kind, limit, reached }) => {
    const before = usage.told_budget.find((each) => each.kind === kind && each.limit === limit);
    return reached !== 0 && reached > (before?.reached ?? 0);
  });
  if (news.length === 0 && told.length === usage.told_budget.length) return;
  ctx.usage.take({ ...usage, told_budget: told });
  ctx.usage.write(id);
  const at = timestampFromMs(ctx.clock.now());
  for (const { kind, reached, used, limit } of news)
    ctx.emit({ type: "budget_reached", at, session_id: id, project_id, budget: kind, percent: reached, used, limit });
}
