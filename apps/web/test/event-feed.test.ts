import { expect, test } from "vitest";
import { type FeedStep, followEvents } from "../src/daemon/event-feed.js";

interface Asked {
  readonly url: string;
  readonly last: string | null;
}

/** Responds to consecutive requests with these pieces of a stream, or with an error status, until all are used. */
async function follow(answers: readonly (readonly string[] | number)[], after: string | null = null) {
  const [asked, received, paused]: [Asked[], FeedStep[], number[]] = [[], [], []];
  const over = new AbortController();
  const left = [...answers];
  await followEvents({
    url: "http://daemon/v1/events",
    after,
    aliveMs: 1500,
    signal: over.signal,
    onStep: (each) => received.push(each),
    pause: async (ms) => {
      paused.push(ms);
      if (left.length === 0) over.abort();
    },
    watch: () => ({ heard: () => undefined, stop: () => undefined }),
    fetch: async (input, init) => {
      asked.push({ url: String(input), last: new Headers(init?.headers).get("last-event-id") });
      const answer = left.shift();
      if (answer === undefined) throw new TypeError("cut");
      if (typeof answer === "number") return new Response(null, { status: answer });
      const encoder = new TextEncoder();
      return new Response(
        new ReadableStream({
          start(controller) {
            for (const piece of answer) controller.enqueue(encoder.encode(piece));
            controller.close();
          },
        }),
      );
    },
  });
  return { asked, received, paused };
}

const event = (seq: number) => `id: ${seq}\ndata: {"seq":${seq},"type":"session_created"}\n\n`;

test("the event feed begins with the newest event, and resumes after the last received number, also one without an event", async () => {
  const { asked, received } = await follow([["retry: 1000\n\n", event(7), "id: 9\n\n"], [event(10)]]);
  expect(asked.map(({ last }) => last)).toEqual([null, "9"]);
  expect(asked[0]?.url).toBe(`http://daemon/v1/events?alive_ms=1500&after=${Number.MAX_SAFE_INTEGER}`);
  expect(asked[1]?.url).toBe("http://daemon/v1/events?alive_ms=1500");
  expect(received.map(({ message, after, last }) => [message.kind, after, last])).toEqual([
    ["connected", null, null],
    ["alive", null, null],
    ["event", null, "7"],
    ["alive", "7", "9"],
    ["cut", "9", "9"],
    ["connected", "9", "9"],
    ["event", "9", "10"],
    ["cut", "10", "10"],
  ]);
});

test("the event feed waits longer after each failure, and not after received data", async () => {
  const { paused } = await follow([503, 503, 503, [event(1)], 503]);
  expect(paused).toEqual([300, 600, 1200, 300, 600]);
});

test("the event feed reports that earlier events were discarded, and ends when the daemon refuses it", async () => {
  const behind = (number: number) => `id: ${number}\nevent: behind\ndata: {"snapshot_at": ${number}}\n\n`;
  const { received, asked } = await follow([[behind(4)], 401, [event(1)]], "2");
  expect(received.map(({ message }) => message.kind)).toEqual(["connected", "behind", "cut", "refused"]);
  expect(asked.map(({ last }) => last)).toEqual(["2", "4"]);
  const first = await follow([[behind(4)], 401]);
  expect(first.received.map(({ message }) => message.kind)).toEqual(["connected", "alive", "cut", "refused"]);
});
