import type { NodeAnswer } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import { expect, test } from "vitest";
import type { Message } from "../../src/top/message.js";
import { feedNodes } from "../../src/top/node-feeds.js";
import type { SessionFeedOptions } from "../../src/top/session-feed.js";
import { session } from "./sessions.js";

type Presence = NodeAnswer["presence"];

/** One node, as known to this machine's daemon, and pauses that the test ends. */
function fixture({ only = [] as readonly string[] } = {}) {
  const over = new AbortController();
  const messages: Message[] = [];
  const paused: { readonly ms: number; readonly end: () => void }[] = [];
  let presence: Presence = "online";
  let isThere = true;
  let lists = 0;
  let refusal: TmpmError | null = null;
  /** Breaks the request that waits for the next event. */
  let breaks: (error: TmpmError) => void = () => undefined;

  const daemon = {
    events: async ({ after }: { after?: number } = {}, { signal }: { signal?: AbortSignal } = {}) => {
      if (refusal !== null) throw refusal;
      if (after === Number.MAX_SAFE_INTEGER) return { events: [], next: 7, behind: { snapshot_at: 7 } };
      return new Promise<never>((_, reject) => {
        breaks = reject;
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    },
    list: async () => {
      lists += 1;
      return { sessions: [session("demo", "working")], problems: [], store: { state: "ok", message: null }, next: null };
    },
    show: async () => session("demo", "working"),
  };
  const fed = feedNodes({
    client: {
      nodes: async () => ({
        nodes: isThere ? [{ label: "build1", presence, last_seen_at: "2026-01-01T00:00:00Z" } as NodeAnswer] : [],
        next: null,
      }),
    },
    // Only these routes are used here.
    at: () => daemon as unknown as SessionFeedOptions["client"],
    hasNodes: () => true,
    only,
    signal: over.signal,
    send: (message) => messages.push(message),
    fail: (error) => {
      throw error;
    },
    pause: (ms, signal) =>
      new Promise((resolve) => {
        paused.push({ ms, end: resolve });
        signal.addEventListener("abort", () => resolve());
        if (signal.aborted) resolve();
      }),
  });
  /** Ends the current pauses of the given number of ms. */
  async function pass(ms: number): Promise<void> {
    await expect.poll(() => paused.some((each) => each.ms === ms), { interval: 1 }).toBe(true);
    for (const each of paused.splice(0))
      if (each.ms === ms) each.end();
      else paused.push(each);
  }
  return {
    messages,
    pass,
    kinds: () => messages.map((message) => (message.kind === "silent" ? `silent: ${message.reason}` : message.kind)),
    lists: () => lists,
    isNow(next: Presence) {
      presence = next;
    },
    refuses(error: TmpmError | null) {
      refusal = error;
      if (error !== null) breaks(error);
    },
    remove() {
      isThere = false;
    },
    async end() {
      over.abort();
      await fed;
    },
  };
}

const heard = (kinds: () => readonly string[], count: number) => expect.poll(() => kinds().length, { interval: 1 }).toBe(count);
const offline = new TmpmError("NODE_OFFLINE", "build1 does not answer: the connection ended");

test("a node whose link ends is silent at once, and listed again when it answers", async () => {
  const { kinds, refuses, pass, end } = fixture();
  await heard(kinds, 1);
  refuses(offline);
  await heard(kinds, 2);
  refuses(null);
  await pass(1_000);
  await heard(kinds, 3);
  expect(kinds()).toEqual(["listed", "silent: build1 does not answer: the connection ended", "listed"]);
  await end();
});

test("a node that answers again is listed before the next retry would be due", async () => {
  const { kinds, refuses, pass, end } = fixture();
  await heard(kinds, 1);
  refuses(offline);
  await heard(kinds, 2);
  refuses(null);
  // Only this machine's daemon reports that the node is online.
  await pass(5_000);
  await heard(kinds, 3);
  expect(kinds().at(-1)).toBe("listed");
  await end();
});

test("a node that stops sending without closing is not shown as live, and is listed again once it answers", async () => {
  const { kinds, messages, lists, isNow, pass, end } = fixture();
  await heard(kinds, 1);
  isNow("suspect");
  await pass(5_000);
  await heard(kinds, 2);
  expect(messages.at(-1)).toMatchObject({ kind: "silent", node: "build1", asOf: "2026-01-01T00:00:00Z" });
  await pass(5_000);
  expect([kinds().length, lists()]).toEqual([2, 1]);
  isNow("online");
  await pass(5_000);
  await heard(kinds, 3);
  expect([kinds().at(-1), lists()]).toEqual(["listed", 2]);
  await end();
});

test("follows neither a removed node nor an unselected one", async () => {
  const { kinds, remove, pass, end } = fixture();
  await heard(kinds, 1);
  remove();
  await pass(5_000);
  await heard(kinds, 2);
  expect(kinds()).toEqual(["listed", "removed"]);
  await end();
  const other = fixture({ only: ["build2"] });
  await other.pass(5_000);
  expect(other.kinds()).toEqual([]);
  await other.end();
});
