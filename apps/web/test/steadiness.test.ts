import { expect, test } from "vitest";
import { steadiness } from "../src/state/steadiness.js";

test("a place is steady a while after it was first seen, and after each move", () => {
  const changes: boolean[] = [];
  const waiting = new Set<() => void>();
  const watched = steadiness({
    later: (run, ms) => {
      expect(ms).toBeGreaterThanOrEqual(500);
      waiting.add(run);
      return () => waiting.delete(run);
    },
    onChange: (isSteady) => changes.push(isSteady),
  });
  const pass = () => {
    for (const run of waiting) run();
    waiting.clear();
  };
  watched.placed("100");
  expect(changes).toEqual([false]);
  pass();
  watched.placed("100");
  expect(changes).toEqual([false, true]);
  watched.placed("0");
  watched.placed("50");
  expect(waiting.size).toBe(1);
  pass();
  expect(changes).toEqual([false, true, false, false, true]);
  watched.placed("0");
  watched.stop();
  expect(waiting.size).toBe(0);
});
