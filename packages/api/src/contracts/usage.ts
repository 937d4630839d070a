import { BudgetKind, BudgetScope, ContextFill, TokenCounts } from "@tmpm/core";
import * as z from "zod";
import { USAGE_GROUPINGS } from "../usage-groupings.js";
import { type Contract, none, project } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";

const estimate = z.number().nonnegative().nullable().describe("In US dollars, by the price table; null if none of the models has a price.");

const ModelUsage = z.object({
  model: z.string().nullable().describe("Null if the agent does not report it."),
  requests: z.number().int().nonnegative().describe("Answers of the model."),
  tokens: TokenCounts,
  cost_usd: estimate,
});

const sums = {
  requests: z.number().int().nonnegative(),
  tokens: TokenCounts.describe("`input` is uncached; `output` includes `reasoning`."),
  cost_usd: estimate,
  unpriced_models: z.array(z.string()).describe("Models without a price; their cost is not in `cost_usd`."),
};

const UsageGroup = z.object({
  key: z.string().describe("A session's id, a project's, an agent's, or a day (UTC)."),
  name: z.string(),
  ...sums,
  models: z.array(ModelUsage),
  context: ContextFill.nullable().describe("Context usage at the last answer; null if the agent does not report it."),
  skipped_bytes: z.number().int().nonnegative().describe("Bytes of a long transcript that predate tmpm's observation and are not counted."),
});

export const BudgetStanding = z.object({
  scope: BudgetScope.describe("Its scope: one session, a session with its descendants, or the sessions of a project."),
  id: z.string().describe("The session or the project that it was set for."),
  name: z.string(),
  kind: BudgetKind.describe("Counted quantity; `minutes` is the run time of turns."),
  limit: z.number().int().positive(),
  used: z.number().int().nonnegative(),
  remaining: z.number().int().nonnegative().describe("At 0, the queues in its scope are held."),
});
export type BudgetStanding = z.infer<typeof BudgetStanding>;

export const UsageAnswer = z.object({
  by: z.enum(USAGE_GROUPINGS),
  groups: z.array(UsageGroup),
  total: z.object(sums),
  budgets: z.array(BudgetStanding).default([]).describe("The budgets that apply to `session`; without one, all budgets."),
  prices: z.object({
    date: z.string().describe("Date of the price table."),
    source: z.string().nullable().describe("Source of its prices; null if not stated."),
    path: z.string().nullable().describe("Path of the user's own table; null for the bundled one."),
    fault: z.string().nullable().describe("Why the user's own table is not used; null otherwise."),
  }),
});
export type UsageAnswer = z.infer<typeof UsageAnswer>;

const EXAMPLE_SUMS = {
  requests: 12,
  tokens: { input: 1200, cache_read: 48_000, cache_write: 6000, output: 2400, reasoning: 0 },
  cost_usd: 0.0918,
  unpriced_models: [],
};

export const USAGE_ROUTES = {
  usage: {
    method: "GET",
    path: "/v1/usage",
    scope: "observer",
    acting: "read",
    summary: "Token usage of sessions and its estimated cost",
    description:
      "Counted from the agents' own records, each model answer once, and kept after those are deleted. Costs are estimates, computed on request. See `docs/usage.md`.",
    params: none,
    query: z.strictObject({
      session: z.string().min(1).optional().describe("Only this session: its id, its name, or a prefix of either."),
      project_id: project.optional(),
      by: z.enum(USAGE_GROUPINGS).optional().describe("What to group by; `session` by default."),
      since: z
        .string()
        .regex(/^\d{4}-\d{2}-\d{2}$/)
        .optional()
        .describe("Only usage on this day (UTC) or later."),
    }),
    body: null,
    status: 200,
    answer: UsageAnswer,
    errors: ["SESSION_NOT_FOUND", "SESSION_AMBIGUOUS", "PROJECT_NOT_FOUND", "RECORD_DAMAGED", "RECORD_UNSUPPORTED"],
    example: {
      query: { by: "agent" },
      answer: {
        by: "agent",
        groups: [
          {
            key: "claude",
            name: "claude",
            ...EXAMPLE_SUMS,
            models: [{ model: "claude-opus-5-5", requests: 12, tokens: EXAMPLE_SUMS.tokens, cost_usd: EXAMPLE_SUMS.cost_usd }],
            context: null,
            skipped_bytes: 0,
          },
        ],
        total: EXAMPLE_SUMS,
        budgets: [{ scope: "session", id: EXAMPLE_SESSION.id, name: "demo", kind: "turns", limit: 50, used: 12, remaining: 38 }],
        prices: { date: "2026-09-28", source: "models.dev", path: null, fault: null },
      },
    },
  },
} as const satisfies Record<string, Contract>;
