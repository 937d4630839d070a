import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { estimateCost, NO_TOKENS } from "@tmpm/core";
import { expect, onTestFinished, test } from "vitest";
import { pricesOf } from "../../src/usage/prices.js";
import { usageAnswer } from "../../src/usage/usage-answer.js";

test("the user's price table replaces the built-in one as a whole and at once, and an invalid one is reported", () => {
  const dir = mkdtempSync(join(tmpdir(), "tmpm-prices-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const prices = pricesOf({ TMPM_CONFIG: join(dir, "config.yaml") });
  expect(prices()).toMatchObject({ path: null, fault: null, table: { models: { "claude-opus-5-5": { input: 4 } } } });
  const own = join(dir, "prices.json");
  writeFileSync(own, JSON.stringify({ date: "2030-01-02", models: { mine: { input: 1, output: 2 } } }));
  expect(prices()).toEqual({
    path: own,
    fault: null,
    table: { date: "2030-01-02", source: null, currency: "USD", models: { mine: { input: 1, output: 2 } } },
  });
  writeFileSync(own, "{");
  expect(prices()).toMatchObject({ path: null, fault: expect.stringContaining(`${own} is not a price table`) });
});

test("models with a common prefix have separate prices, and unreliable models have none", () => {
  const { table } = pricesOf({ TMPM_CONFIG: "/nonexistent/config.yaml" })();
  expect(table.source).toContain("models.dev");
  const cost = (model: string) => estimateCost(table, { model, tokens: { ...NO_TOKENS, output: 1_000_000 } });
  expect(["gpt-5.6", "gpt-5.6-luna", "gpt-6-sol-2026-09-22", "gpt-5.6-nova", "gpt-5.1-codex"].map(cost)).toEqual([20, 1.2, 10, null, null]);
  expect(["gemini-3.8-flash", "claude-opus-5-5[1m]", "claude-opus-5-5-fast"].map(cost)).toEqual([3.75, 20, 40]);
});

test("priced usage is summed up, and models without a price are named", () => {
  const tokens = { ...NO_TOKENS, input: 1_000_000 };
  const models = ["mine", "other", null].map((model) => ({ model, requests: 1, tokens }));
  const table = { date: "2030-01-02", source: "a contract", currency: "USD", models: { mine: { input: 3, output: 2 } } } as const;
  const groups = [{ key: "k", name: "n", models, context: null, skipped_bytes: 0 }];
  const answer = usageAnswer({ by: "session", groups, budgets: [] }, { table, path: null, fault: null });
  expect(answer.total).toEqual({
    requests: 3,
    tokens: { ...NO_TOKENS, input: 3_000_000 },
    cost_usd: 3,
    unpriced_models: ["other", "unknown"],
  });
});
