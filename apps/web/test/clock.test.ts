import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { now, startClock } from "../src/state/clock.js";
import { sessions } from "../src/state/sessions.js";

afterEach(() => vi.useRealTimers());

test("ages go on after the page was hidden and is visible again", () => {
  vi.useFakeTimers();
  sessions.value = new Map();
  let visibilityState: DocumentVisibilityState = "visible";
  let changed: () => void = () => undefined;
  const stop = startClock({
    get visibilityState() {
      return visibilityState;
    },
    addEventListener(_type: string, listener: () => void) {
      changed = listener;
    },
  } as Pick<Document, "visibilityState" | "addEventListener">);
  onTestFinished(stop);
  const turn = (state: DocumentVisibilityState) => {
    vi.advanceTimersByTime(1);
    visibilityState = state;
    changed();
  };
  const goesOn = () => {
    const before = now.value;
    vi.advanceTimersByTime(120_000);
    return now.value > before;
  };
  expect(goesOn()).toBe(true);
  turn("hidden");
  expect(goesOn()).toBe(false);
  turn("visible");
  expect(goesOn()).toBe(true);
});
