import { describe, expect, test } from "vitest";
import {
  type CountedAnswer,
  countAnswers,
  estimateCost,
  isoDayOf,
  NO_TOKENS,
  PriceTable,
  UsageRecord,
  usedTokens,
} from "../../src/index.js";

const MILLION = 1_000_000;

function answer(changes: Partial<CountedAnswer>): CountedAnswer {
  return { key: "a", day: "2026-11-28", model: "m", tokens: { ...NO_TOKENS, input: 1 }, context: null, ...changes };
}

const EMPTY = UsageRecord.parse({ session_id: "00000000-0000-4000-8000-000000000001", updated_at: "2026-11-28T00:00:00Z" });

const countAnswer = (record: UsageRecord, one: CountedAnswer) => countAnswers(record, [one]);

describe("counting responses", () => {
  test("a response written again on another day by another model stays on its first day", () => {
    const once = countAnswer(EMPTY, answer({}));
    const again = countAnswer(once, answer({ day: "2026-11-29", model: "n", tokens: { ...NO_TOKENS, input: 5 } }));
    expect(again.days).toEqual([{ day: "2026-11-28", model: "n", requests: 1, tokens: { ...NO_TOKENS, input: 5 } }]);
    expect(countAnswer(again, answer({ model: "n", tokens: { ...NO_TOKENS, input: 5 } }))).toBe(again);
  });

  test("a response counted long ago is not counted again", () => {
    const many = Array.from({ length: 200 }, (_, index) => answer({ key: `k${index}` })).reduce(countAnswer, EMPTY);
    expect(countAnswer(many, answer({ key: "k0", tokens: { ...NO_TOKENS, input: 99 } }))).toBe(many);
    expect(usedTokens(many).input).toBe(200);
  });
});

describe("cost estimate", () => {
  const table = PriceTable.parse({
    date: "2026-11-28",
    models: { opus: { input: 4, output: 20, cache_read: 0.4, cache_write: 5 }, "opus-mini": { input: 1, output: 2 }, unknown: null },
  });
  const tokens = { input: MILLION, cache_read: MILLION, cache_write: MILLION, output: MILLION, reasoning: MILLION };

  test.each([
    ["opus", 29.4],
    ["anthropic/opus-20260101", 29.4],
    ["opus[1m]", 29.4],
    ["opus-mini", 5],
    ["opus-mini-2", null],
    ["opus-fast", null],
    ["opus-2026-01-01", 29.4],
    ["opus@20260101", 29.4],
    ["opus-20260101-v1:0", 29.4],
    ["opus-latest[1m]", 29.4],
    ["unknown", null],
    ["opusculum", null],
    ["mini", null],
    [null, null],
  ])("for %s", (model, cost) => {
    expect(estimateCost(table, { model, tokens })).toBe(cost);
  });
});

test("accepts only days of the calendar", () => {
  expect([isoDayOf("2026-11-28"), isoDayOf("2026-02-30"), isoDayOf("x")]).toEqual(["2026-11-28", null, null]);
});
