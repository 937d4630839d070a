import { expect, test } from "vitest";
import { hostileTexts } from "./hostile-texts.js";
import { TEXT_KINDS } from "./text-kinds.js";

test("generates the same texts for the same seed, and others for another", () => {
  const texts = hostileTexts({ count: 200, seed: 7 });
  expect(hostileTexts({ count: 200, seed: 7 })).toEqual(texts);
  expect(hostileTexts({ count: 200, seed: 8 })).not.toEqual(texts);
  expect(texts).toHaveLength(200);
  expect(texts.map(({ number }) => number)).toEqual(texts.map((_, index) => index));
});

test.each([40, 60, 200])("includes every kind among %i texts, every moment, and large ones", (count) => {
  const texts = hostileTexts({ count, seed: 1 });
  const kinds = new Set(texts.map(({ kind }) => kind));
  expect(Object.keys(TEXT_KINDS).filter((kind) => !kinds.has(kind))).toEqual([]);
  expect(kinds).toContain("size");
  expect([...kinds].some((kind) => kind.includes("+"))).toBe(true);
  expect(new Set(texts.map(({ moment }) => moment)).size).toBe(4);
  expect(Math.max(...texts.map(({ text }) => Buffer.byteLength(text)))).toBe(count < 50 ? 3_000 : count < 100 ? 60_000 : 200_000);
});
