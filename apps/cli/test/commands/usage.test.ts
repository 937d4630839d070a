import { CONTRACTS } from "@tmpm/api";
import { expect, test } from "vitest";
import { answering } from "../fixtures/answering.js";

const { answer } = CONTRACTS.usage.example;

test("usage queries the named sessions and shows tokens, context and estimate; models without a price are named", async () => {
  const [group] = answer.groups;
  const tokens = { input: 950, cache_read: 3_400_000, cache_write: 0, output: 12_300, reasoning: 300 };
  const sums = { requests: 3, tokens, cost_usd: null, unpriced_models: ["mock-model"] };
  const second = {
    ...group,
    ...sums,
    key: "i2",
    name: "b",
    models: [],
    context: { tokens: 84_000, limit: 200_000 },
    skipped_bytes: 1_500_001,
  };
  const body = {
    ...answer,
    by: "session",
    groups: [{ ...group, name: "a" }, second],
    total: { ...answer.total, unpriced_models: ["mock-model"] },
    budgets: [{ scope: "lineage", id: "i1", name: "planner", kind: "tokens", limit: 2_000_000, used: 1_500_000, remaining: 500_000 }],
  };
  await using daemon = await answering(() => ({ body }));
  const { exit, stdout, stderr } = await daemon.tmpm("usage", "demo", "--since", "2026-11-01");
  await daemon.tmpm("usage", "--project", "api");
  expect([exit, daemon.asked.map(({ url }) => url)]).toEqual([0, ["/v1/usage?session=demo&since=2026-11-01", "/v1/usage?project_id=api"]]);
  expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["SESSION", "REQUESTS", "INPUT", "CACHE READ", "CACHE WRITE", "OUTPUT", "CONTEXT", "ESTIMATE"],
    ["a", "12", "1.2k", "48k", "6.0k", "2.4k", "-", "$0.09"],
    ["b", "3", "950", "3.4M", "0", "12k", "42 %", "-"],
    ["total", "12", "1.2k", "48k", "6.0k", "2.4k", "$0.09"],
    [""],
    ["BUDGET OF", "COUNTS", "USED", "LIMIT", "REMAINING"],
    ["lineage planner", "tokens", "1.5M", "2.0M", "500k"],
    [""],
  ]);
  expect(stderr).toContain("no price for mock-model in the table of 2026-09-28");
  expect(stderr).toContain("b: 2 MB of its transcript");
});

test("usage refuses unknown groupings, and times other than a day or a duration", async () => {
  await using daemon = await answering(() => ({ body: { ...answer, groups: [], budgets: [] } }));
  expect(await daemon.tmpm("usage", "--by", "week")).toMatchObject({ exit: 2 });
  expect(await daemon.tmpm("usage", "--since", "yesterday")).toMatchObject({ exit: 2 });
  const { stdout, stderr } = await daemon.tmpm("usage", "--by", "day", "--since", "7d");
  expect([stdout, stderr]).toEqual(["", expect.stringContaining("no tokens have been counted")]);
  expect(daemon.asked.map(({ url }) => url)).toEqual([expect.stringMatching(/^\/v1\/usage\?by=day&since=\d{4}-\d{2}-\d{2}$/)]);
});
