import { type BudgetStanding, USAGE_GROUPINGS, type UsageAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { parseDuration } from "../input/duration.js";
import { projectArgument } from "../input/project-argument.js";
import { usageError } from "../parse/usage-error.js";
import { oneLine } from "../render/one-line.js";
import { table } from "../render/table.js";
import { contextText, tokensText } from "../render/tokens.js";

const HEAD = ["REQUESTS", "INPUT", "CACHE READ", "CACHE WRITE", "OUTPUT", "CONTEXT", "ESTIMATE"];
/** Columns dropped in this order on narrow terminals: requests, then cache writes. */
const SPARE = [1, 4];
const BUDGET_HEAD = ["BUDGET OF", "COUNTS", "USED", "LIMIT", "REMAINING"];

export const usage = command({
  name: "usage",
  group: "Observe",
  summary: "Show the tokens that sessions have used, and their estimated cost",
  more: `Counted from the agents' own records. INPUT is uncached; OUTPUT includes reasoning. CONTEXT is how full the context window was at the
last answer. ESTIMATE is in US dollars, from a price table; it is not a bill. Budgets, if set, follow; see docs/usage.md.

  tmpm usage
  tmpm usage demo
  tmpm usage --by day --since 7d
  tmpm usage --by project --json`,
  args: { session: { takes: "optional", label: "SESSION", summary: "Only this session" } },
  options: {
    by: { takes: "text", label: "WHAT", summary: `Sum up by ${USAGE_GROUPINGS.join(", ")}` },
    since: { takes: "text", label: "TIME", summary: "Only since this day (2026-11-28), or for this long (7d)" },
    project: { takes: "text", label: "P", summary: "Only sessions of this project, by id or directory" },
  },
  modes: [{ of: ({ session }) => (session === undefined ? "all sessions" : "one session"), takenBy: { project: ["all sessions"] } }],
  async run({ session, by, since, project }, context): Promise<UsageAnswer> {
    return context.client().usage({
      session,
      project_id: await projectArgument(project, context),
      by: by === undefined ? undefined : groupingOf(by),
      since: since === undefined ? undefined : dayOf(since, Date.now()),
    });
  },
  render({ by, groups, total, budgets }, view) {
    const left = budgets.length === 0 ? "" : table({ head: BUDGET_HEAD, rows: budgets.map(budgetCells) }, view);
    if (groups.length === 0) return left;
    const rows = groups.map(({ name, context, ...sums }) => [oneLine(name), ...cells(sums, by === "session" ? contextText(context) : "")]);
    const all = groups.length === 1 ? [] : [["total", ...cells(total, "")]];
    const used = table({ head: [by.toUpperCase(), ...HEAD], rows: [...rows, ...all], spare: SPARE }, view);
    return left === "" ? used : `${used}\n\n${left}`;
  },
  notes: ({ groups, total: { unpriced_models: unpriced }, prices }) => [
    ...(groups.length === 0 ? ["no tokens have been counted yet; docs/usage.md lists what is counted"] : []),
    ...(unpriced.length === 0
      ? []
      : [`no price for ${unpriced.map(oneLine).join(", ")} in the table of ${prices.date}, so the estimate does not include it`]),

    ...(prices.fault === null ? [] : [`${oneLine(prices.fault)}; the bundled price table is used`]),
    ...skippedOf(groups),
  ],
});

function cells({ requests, tokens, cost_usd }: Omit<UsageAnswer["total"], "unpriced_models">, context: string): readonly string[] {
  const { input, cache_read, cache_write, output } = tokens;
  const estimate = cost_usd === null ? "-" : `$${cost_usd.toFixed(2)}`;
  return [String(requests), ...[input, cache_read, cache_write, output].map(tokensText), context, estimate];
}

function budgetCells({ scope, name, kind, used, limit, remaining }: BudgetStanding): readonly string[] {
  return [`${scope} ${oneLine(name)}`, kind, ...[used, limit, remaining].map(tokensText)];
}

function skippedOf(groups: UsageAnswer["groups"]): readonly string[] {
  return groups
    .filter(({ skipped_bytes }) => skipped_bytes > 0)
    .map(
      ({ name, skipped_bytes }) =>
        `${oneLine(name)}: ${Math.ceil(skipped_bytes / 1_000_000)} MB of its transcript are older than its session, and not counted`,
    );
}

function groupingOf(text: string): (typeof USAGE_GROUPINGS)[number] {
  const found = USAGE_GROUPINGS.find((each) => each === text);
  if (found !== undefined) return found;
  throw usageError(`--by takes ${USAGE_GROUPINGS.join(", ")}, not ${JSON.stringify(text)}`, "For example `tmpm usage --by day`.");
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day (UTC), given as a date or as the time since then. @throws INVALID_ARGUMENT */
export function dayOf(text: string, nowMs: number): string {
  if (DAY.test(text)) return text;
  return new Date(nowMs - parseDuration(text, "--since")).toISOString().slice(0, 10);
}
