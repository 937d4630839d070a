import { TmpmError } from "@tmpm/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answer, PaneInfo, ServerEvent } from "../src/index.js";
import { pollingWatch } from "../src/observe/watch.js";

const pane = (id: number, more: Partial<PaneInfo> = {}): PaneInfo => ({
  identity: { socket: "/s", server_pid: 1, server_start: 1, pane_id: `%${id}` },
  tmuxName: `s${id}`,
  sessionId: `s${id}`,
  home: null,
  pid: 100 + id,
  exit: null,
  inMode: false,
  viewers: 0,
  columns: 80,
  rows: 24,
  activeAt: 1,
  foreground: true,
  command: "sh",
  ...more,
});
const exit = { status: 0, signal: null, at: "2026-01-01T00:00:00Z" };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watchOf(answers: readonly (readonly PaneInfo[] | "absent" | "unknown")[]) {
  let polls = 0;
  const list = async (): Promise<Answer<readonly PaneInfo[]>> => {
    const answer = answers[Math.min(polls++, answers.length - 1)];
    if (answer === "unknown") return { kind: "unknown", error: new TmpmError("TMUX_UNRESPONSIVE", "silent") };
    if (answer === "absent" || answer === undefined) return { kind: "absent", reason: "gone" };
    return { kind: "present", value: answer };
  };
  return { watch: pollingWatch({ list, everyMs: 100 }), polls: () => polls };
}

async function eventsOf(answers: Parameters<typeof watchOf>[0]): Promise<string[]> {
  const events: string[] = [];
  const { watch } = watchOf(answers);
  const record = (event: ServerEvent) => events.push(event.type === "look" ? "look" : `${event.type} ${event.pane.pane_id}`);
  const subscription = watch.subscribe(record);
  await vi.advanceTimersByTimeAsync(answers.length * 100);
  subscription.close();
  return events;
}

test("differences between two observations become events", async () => {
  expect(
    await eventsOf([
      [pane(1)],
      [pane(1), pane(2)],
      [pane(1, { activeAt: 2 }), pane(2)],
      [pane(1, { activeAt: 2, exit }), pane(2)],
      [pane(2)],
      "absent",
    ]),
  ).toEqual(["look", "opened %2", "active %1", "exited %1", "closed %1", "closed %2"]);
});

test("unknown answers request another look, and close nothing", async () => {
  expect(await eventsOf([[pane(1)], "unknown", "unknown", [pane(1)], []])).toEqual(["look", "look", "closed %1"]);
});

test("reports a new name, a new number of viewers and an end, each once", async () => {
  const changed = pane(1, { tmuxName: "other", viewers: 2, exit });
  expect(await eventsOf([[pane(1)], [changed], [changed]])).toEqual(["look", "renamed %1", "viewers %1", "exited %1"]);
});

test("a transport that missed events makes the listeners look once, and reports the result", async () => {
  const events: string[] = [];
  const { watch } = watchOf([[pane(1)], [pane(1), pane(2)], [pane(1), pane(2)]]);
  const subscription = watch.subscribe(({ type }) => events.push(type));
  await vi.advanceTimersByTimeAsync(50);
  watch.signal({ missed: true });
  watch.signal();
  await vi.advanceTimersByTimeAsync(200);
  subscription.close();
  expect(events).toEqual(["look", "look", "opened"]);
});

test("polls once for all listeners, and not at all without one", async () => {
  const { watch, polls } = watchOf([[]]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(polls()).toBe(0);
  const events: string[] = [];
  const first = watch.subscribe(({ type }) => events.push(`first ${type}`));
  await vi.advanceTimersByTimeAsync(250);
  const second = watch.subscribe(({ type }) => events.push(`second ${type}`));
  await vi.advanceTimersByTimeAsync(250);
  expect(polls()).toBeLessThanOrEqual(6);
  expect(events).toEqual(["first look", "second look"]);
  first.close();
  second.close();
  const before = polls();
  await vi.advanceTimersByTimeAsync(1000);
  expect(polls()).toBe(before);
});
