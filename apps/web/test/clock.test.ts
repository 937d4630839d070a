import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { noteDaemonTime, now, startClock } from "../src/state/clock.js";
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

test("ages follow the daemon's clock where it differs from this device's", () => {
  vi.useFakeTimers({ now: Date.parse("2026-01-01T00:00:00Z") });
  onTestFinished(() => noteDaemonTime(new Date().toUTCString()));
  noteDaemonTime("Thu, 01 Jan 2026 02:00:00 GMT");
  expect(new Date(now.value).toISOString()).toBe("2026-01-01T02:00:00.000Z");
  // A difference of seconds may be the network's.
  noteDaemonTime("Thu, 01 Jan 2026 02:00:03 GMT");
  expect(new Date(now.value).toISOString()).toBe("2026-01-01T02:00:00.000Z");
  noteDaemonTime("Thu, 01 Jan 2026 00:00:03 GMT");
  expect(new Date(now.value).toISOString()).toBe("2026-01-01T00:00:00.000Z");
  noteDaemonTime(undefined);
  noteDaemonTime("nonsense");
  expect(new Date(now.value).toISOString()).toBe("2026-01-01T00:00:00.000Z");
});

test("a difference near the limit does not alternate between two clocks", () => {
  vi.useFakeTimers({ now: Date.parse("2026-01-01T00:00:00Z") });
  onTestFinished(() => noteDaemonTime(new Date().toUTCString()));
  let changes = 0;
  const stop = now.subscribe(() => void changes++);
  onTestFinished(stop);
  const before = changes;
  for (let answer = 0; answer < 20; answer++) {
    noteDaemonTime(new Date(Date.now() + 5_400).toUTCString());
    vi.advanceTimersByTime(300);
  }
  expect(changes - before).toBe(1);
  noteDaemonTime(new Date(Date.now() + 1_000).toUTCString());
  expect(now.value).toBe(Date.now());
});
