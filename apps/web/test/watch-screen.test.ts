import type { Terminal } from "@tmpm/api/client";
import { type ErrorCode, TmpmError } from "@tmpm/core/errors";
import { expect, onTestFinished, test } from "vitest";
import { watchScreen } from "../src/daemon/watch-screen.js";

/** Each capture returns its number; pauses of the poll end by `poll`. */
function watched(follow: ((signal: AbortSignal) => Terminal) | null, isRunning = true) {
  const seen: string[] = [];
  let captures = 0;
  const heard = new Set<() => void>();
  let poll: () => void = () => undefined;
  const leave = watchScreen({
    capture: async () => [String(++captures)],
    follow,
    events: (listener) => {
      heard.add(listener);
      return () => heard.delete(listener);
    },
    isRunning,
    seen: (lines) => seen.push(...lines),
    failed: (error) => {
      throw error;
    },
    pause: (ms) =>
      ms < 1_000
        ? Promise.resolve()
        : new Promise((resolve) => {
            poll = resolve;
          }),
  });
  onTestFinished(leave);
  const event = () => {
    for (const listener of heard) listener();
  };
  return { seen, heard, leave, event, poll: () => poll() };
}

function cannot(): Terminal {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new TmpmError("HOST_CANNOT", "this session has no terminal")),
    }),
  } as unknown as Terminal;
}

test.each([
  ["without a terminal", null],
  ["with one that cannot be followed", cannot],
])("a running session %s is read again at its events, and periodically", async (_, follow) => {
  const { seen, heard, event, poll, leave } = watched(follow);
  await expect.poll(() => seen).toEqual(["1"]);
  await expect.poll(() => heard.size).toBe(1);
  event();
  await expect.poll(() => seen).toEqual(["1", "2"]);
  poll();
  await expect.poll(() => seen).toEqual(["1", "2", "3"]);
  leave();
  expect(heard.size).toBe(0);
});

test("a session that is not running is read again only at its events", async () => {
  const { seen, event } = watched(null, false);
  await expect.poll(() => seen).toEqual(["1"]);
  event();
  await expect.poll(() => seen).toEqual(["1", "2"]);
});

test.each([
  ["passes is followed by another look after a pause", "TMUX_UNRESPONSIVE", ["TMUX_UNRESPONSIVE", "the screen"]],
  ["stays is reported once", "PANE_GONE", ["PANE_GONE"]],
] as const)("a failure that %s", async (_, code: ErrorCode, expected) => {
  const found: string[] = [];
  const pauses: (() => void)[] = [];
  const failures = [new TmpmError(code, "no screen")];
  const leave = watchScreen({
    capture: async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return ["the screen"];
    },
    follow: null,
    events: () => () => undefined,
    isRunning: false,
    seen: (lines) => found.push(...lines),
    failed: (error) => found.push((error as TmpmError).code),
    pause: () => new Promise((resolve) => pauses.push(resolve)),
  });
  onTestFinished(leave);
  await expect.poll(() => pauses.length).toBe(1);
  expect(found).toEqual([code]);
  pauses[0]?.();
  await new Promise(setImmediate);
  expect(found).toEqual(expected);
});
