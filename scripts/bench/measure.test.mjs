import { expect, test } from "vitest";
import { median, quantile, timed } from "./measure.mjs";

test("quantiles are values of the sorted list", () => {
  const values = [9, 10, 1, 2, 3];
  expect([0, 0.5, 0.95, 1].map((part) => quantile(values, part))).toEqual([1, 3, 10, 10]);
  expect(median(values)).toBe(3);
  expect(values).toEqual([9, 10, 1, 2, 3]);
});

test("a run is timed until it has ended", async () => {
  let ended = false;
  const ms = await timed(async () => {
    await new Promise(setImmediate);
    ended = true;
  });
  expect(ended).toBe(true);
  expect(ms).toBeGreaterThan(0);
});
