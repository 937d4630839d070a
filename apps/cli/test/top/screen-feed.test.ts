import type { Terminal, TerminalEvent } from "@tmpm/api/client";
import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import { screenFeed } from "../../src/top/screen-feed.js";
import type { SeenScreen } from "../../src/top/state.js";

const watched = (id: string) => ({ key: id, id, node: null, live: true, launch: "a" });
const one = watched("one");

function fixture({ deaf = false } = {}) {
  const shown: SeenScreen[] = [];
  const closed: string[] = [];
  const captured: string[] = [];
  const streams = new Map<string, (event: TerminalEvent) => void>();
  let opened = 0;
  const feed = screenFeed({
    client: () => ({
      capture: async ({ session }) => {
        captured.push(session);
        const cursor = { column: 0, row: 0, visible: true };
        return {
          session_id: "550e8400-e29b-41d4-a716-446655440000",
          latest_seq: null,
          lines: [`look ${captured.length}`],
          columns: 80,
          rows: 1,
          cursor,
          title: "",
          live: true,
          captured_at: "2026-01-01T00:00:00Z",
        };
      },
    }),
    terminal: async ({ id }) => {
      opened++;
      if (deaf) throw new TmpmError("TMUX_FAILED", "no control mode");
      return streamOf(id);
    },
    send: (screen) => shown.push(screen),
    fail: (error) => {
      throw error;
    },
  });
  function streamOf(session: string): Terminal {
    const never = async () => undefined;
    async function* read(): AsyncGenerator<TerminalEvent> {
      for (;;) yield await new Promise<TerminalEvent>((resolve) => streams.set(session, resolve));
    }
    const close = () => void closed.push(session);
    return {
      type: never,
      keys: never,
      paste: never,
      resize: never,
      release: never,
      reconnectIfSilent: () => undefined,
      close,
      [Symbol.asyncIterator]: read,
    };
  }
  return { feed, shown, closed, captured, streams, opened: () => opened };
}

const output = { kind: "output", seq: 1, bytes: new Uint8Array() } as const;
const until = (condition: () => boolean) => expect.poll(condition, { interval: 10 }).toBe(true);

test("the screen is captured when its terminal printed, and not otherwise", async () => {
  const { feed, shown, captured, streams } = fixture();
  feed.watch(one);
  await until(() => shown.length === 1 && streams.has("one"));
  feed.happened("one");
  feed.watch({ ...one });
  expect(captured).toHaveLength(1);
  streams.get("one")?.(output);
  await until(() => shown.length === 2);
  expect(shown.at(-1)).toEqual({ session: "one", lines: ["look 2"], cursorRow: 0, live: true });
  feed.watch(null);
});

test("only the selected session is watched, and a selection that changes quickly is not captured", async () => {
  const { feed, captured, closed, streams } = fixture();
  feed.watch(one);
  await until(() => streams.has("one"));
  feed.watch(watched("passed"));
  feed.watch(watched("two"));
  await until(() => streams.has("two"));
  expect([closed, new Set(captured)]).toEqual([["one"], new Set(["one", "two"])]);
  feed.watch(null);
  expect(closed).toEqual(["one", "two"]);
});

test("a terminal that cannot be followed is captured when its session has an event", async () => {
  const { feed, shown, opened } = fixture({ deaf: true });
  feed.watch(one);
  await until(() => shown.length === 1 && opened() === 1);
  feed.happened("another");
  feed.happened("one");
  await until(() => shown.length === 2);
  expect(opened()).toBe(2);
  feed.watch(null);
});

test("does not report a failed capture that the next selection aborted", async () => {
  const failed: unknown[] = [];
  let asked = false;
  const feed = screenFeed({
    client: () => ({
      capture: (_input, { signal } = {}) =>
        new Promise((_, reject) => {
          asked = true;
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    }),
    terminal: () => new Promise(() => undefined),
    send: () => undefined,
    fail: (error) => failed.push(error),
  });
  feed.watch(one);
  await until(() => asked);
  feed.watch(null);
  await new Promise(setImmediate);
  expect(failed).toEqual([]);
});
