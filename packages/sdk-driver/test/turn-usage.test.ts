import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { turnUsageIn } from "../src/agent/turn-usage.js";
import { keepUsage } from "../src/holder/keep-usage.js";
import { agentFixture, script } from "./agent-fixture.js";

const ended = (usage: unknown) => turnUsageIn({ id: 1, result: { stopReason: "end_turn", usage } });

test("a turn's tokens are split, whether the agent counts cached tokens and thoughts within the others or separately", () => {
  const whole = { input: 100, cache_read: 30, cache_write: 5, output: 20, reasoning: 7 };
  const parts = { cachedReadTokens: 30, cachedWriteTokens: 5, thoughtTokens: 7 };
  expect(ended({ ...parts, inputTokens: 100, outputTokens: 20, totalTokens: 155 })).toEqual(whole);
  expect(ended({ ...parts, inputTokens: 135, outputTokens: 20, totalTokens: 155 })).toEqual(whole);
  expect(ended({ ...parts, inputTokens: 100, outputTokens: 13, totalTokens: 155 })).toEqual(whole);
  expect(ended({ ...parts, inputTokens: 135, outputTokens: 13, totalTokens: 155 })).toEqual(whole);
  expect(ended({ inputTokens: 10, outputTokens: 2, totalTokens: 12, thoughtTokens: null })).toEqual({
    ...{ input: 10, cache_read: 0, cache_write: 0, output: 2, reasoning: 0 },
  });
});

test("data without tokens of a turn is ignored", () => {
  for (const usage of [undefined, null, {}, { inputTokens: "1" }, { inputTokens: -1, outputTokens: 0, totalTokens: 0 }])
    expect(ended(usage)).toBeNull();
  expect(turnUsageIn({ method: "session/update", params: { usage: {} } })).toBeNull();
});

test("fractions of tokens are cut off, and counts beyond all integers are ignored", () => {
  expect(ended({ inputTokens: 10.7, outputTokens: 2.5, totalTokens: 13.2 })).toMatchObject({ input: 10, output: 2 });
  for (const huge of [1e300, 2 ** 53, JSON.parse("1e999")])
    expect(ended({ inputTokens: huge, outputTokens: 2, totalTokens: huge })).toBeNull();
});

test("the end of a turn carries its usage, which is stored with its key", async () => {
  const dir = await mkdtemp(join(tmpdir(), "tmpm-usage-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, "usage.jsonl");
  await using fixture = await agentFixture();
  await fixture.until(({ phase }) => phase.kind === "open");
  const usage = { inputTokens: 10, outputTokens: 2, totalTokens: 12 };
  await fixture.talk.prompt({ key: "k1", text: script({ usage, tokens: 12 }) });
  await fixture.until(({ last }) => last !== null);
  await fixture.talk.prompt({ key: "k2", text: "no word of it" });
  await fixture.until(({ fates, turn }) => turn === null && fates.some(({ key }) => key === "k2"));
  const ends = fixture.events.filter(({ type }) => type === "ended");
  expect(ends).toEqual([
    { type: "ended", key: "k1", stop: "end_turn", usage: { input: 10, cache_read: 0, cache_write: 0, output: 2, reasoning: 0 } },
    { type: "ended", key: "k2", stop: "end_turn" },
  ]);
  for (const event of fixture.events) keepUsage(path, { event, state: fixture.state(), atMs: 5 });
  const lines = (await readFile(path, "utf8")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      ...{ id: "k1", atMs: 5, model: "small", context: 12, limit: 100_000 },
      tokens: { input: 10, cache_read: 0, cache_write: 0, output: 2, reasoning: 0 },
    },
  ]);
});
