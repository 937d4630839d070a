import { type BudgetReported, type BudgetUse, type SessionRecord, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import type { Hold } from "../delivery/running.js";
import type { ApplicableBudget, BudgetSubject } from "./budgets.js";

/** Why a session's queue is held; null while every budget that applies has something left. */
export async function budgetHold(ctx: Pick<Context, "usage">, session: BudgetSubject): Promise<Hold | null> {
  const spent = (await ctx.usage.budgets.of(session)).flatMap((of) => {
    const uses = of.uses.filter(({ reached }) => reached === 100);
    return uses.length === 0 ? [] : [{ of, uses }];
  });
  const [first] = spent;
  if (first === undefined) return null;
  return {
    reason: "budget",
    evidence: spent.flatMap(({ of, uses }) =>
      uses.map(({ kind: what, used, limit }) => `${WHOSE[of.scope](of)} is used up: ${used} of ${limit} ${what}`),
    ),
    hint: `\`${RAISES[first.of.scope](first.of)}-${first.uses[0]?.kind ?? "tokens"} N\` raises it; \`tmpm send --now\` types anyway.`,
  };
}

type Word = Readonly<Record<ApplicableBudget["scope"], (of: Pick<ApplicableBudget, "name">) => string>>;

const WHOSE: Word = {
  session: () => "its budget",
  lineage: ({ name }) => `the budget of the lineage of ${name}`,
  project: ({ name }) => `the budget of project ${name}`,
};

const RAISES: Word = {
  session: ({ name }) => `tmpm set ${name} --budget`,
  lineage: ({ name }) => `tmpm set ${name} --lineage`,
  project: ({ name }) => `tmpm projects set ${name} --budget`,
};

/** Emits an event, once each, when most of a bound is used, and when all of it is. A changed bound is reported again. */
export async function reportBudgets(ctx: Context, record: SessionRecord): Promise<void> {
  for (const of of await ctx.usage.budgets.of(record)) {
    if (of.scope === "project") await reportProject(ctx, { of, record });
    else reportSession(ctx, { of, record });
  }
}

interface BudgetReport {
  readonly of: ApplicableBudget;
  readonly record: SessionRecord;
}

function reportSession(ctx: Pick<Context, "clock" | "emit" | "usage">, report: BudgetReport): void {
  const { id, scope, uses } = report.of;
  const usage = ctx.usage.registry.of(id);
  const field = scope === "session" ? "told_budget" : "told_lineage_budget";
  const reached = reportedOf(uses);
  if (isSame(reached, usage[field])) return;
  ctx.usage.registry.take({ ...usage, [field]: reached });
  ctx.usage.registry.write(id);
  emitNews(ctx, { ...report, before: usage[field] });
}

function reportProject(ctx: Context, report: BudgetReport): Promise<void> {
  const { id, uses } = report.of;
  return ctx.queues.naming.run("projects", async () => {
    const { documents } = await ctx.projectStore.all();
    const project = [...documents.values()].find((each) => each.id === id);
    const reached = reportedOf(uses);
    if (project === undefined || isSame(reached, project.told_budget)) return;
    await ctx.projectStore.put(project.path, { ...project, told_budget: reached });
    emitNews(ctx, { ...report, before: project.told_budget });
  });
}

function emitNews(
  ctx: Pick<Context, "clock" | "emit">,
  { of, record, before }: BudgetReport & { readonly before: readonly BudgetReported[] },
): void {
  const at = timestampFromMs(ctx.clock.now());
  const session_id = of.scope === "project" ? record.id : of.id;
  for (const { kind, reached, used, limit } of of.uses) {
    const reported = before.find((each) => each.kind === kind && each.limit === limit)?.reached ?? 0;
    if (reached > reported)
      ctx.emit({
        ...{ type: "budget_reached", at, session_id, project_id: record.project_id, scope: of.scope },
        ...{ budget: kind, percent: reached, used, limit },
      });
  }
}

function reportedOf(uses: readonly BudgetUse[]): BudgetReported[] {
  return uses.flatMap(({ kind, limit, reached }) => (reached === 0 ? [] : [{ kind, limit, reached }]));
}

function isSame(a: readonly BudgetReported[], b: readonly BudgetReported[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
