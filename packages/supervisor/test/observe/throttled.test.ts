import { expect, test } from "vitest";
import { throttled } from "../../src/observe/throttled.js";

test("the first call runs at once, and those within the interval share one run at its end", async () => {
  let nowMs = 1_000;
  const runs: number[] = [];
  const sleeps: { readonly ms: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((wake) => void sleeps.push({ ms, wake }));
  const call = throttled(() => runs.push(nowMs), { everyMs: 500, clock: { now: () => nowMs, sleep } });
  call();
  expect(runs).toEqual([1_000]);
  nowMs = 1_200;
  call();
  call();
  expect(sleeps.map(({ ms }) => ms)).toEqual([300]);
  nowMs = 1_500;
  sleeps[0]?.wake();
  await expect.poll(() => runs).toEqual([1_000, 1_500]);
  nowMs = 2_000;
  call();
  expect(runs).toEqual([1_000, 1_500, 2_000]);
  expect(sleeps).toHaveLength(1);
});

test("a call after the clock was set back waits one interval at most", () => {
  let nowMs = 3_600_000;
  const sleeps: number[] = [];
  const sleep = (ms: number) => {
    sleeps.push(ms);
    return new Promise<void>(() => undefined);
  };
  const call = throttled(() => undefined, { everyMs: 500, clock: { now: () => nowMs, sleep } });
  call();
  nowMs = 0;
  call();
  expect(sleeps).toEqual([500]);
});
