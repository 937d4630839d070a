import { type EventBody, TmpmError } from "@tmpm/core";
import { memoryJournal } from "@tmpm/store/memory";
import { expect, test } from "vitest";
import { events } from "../../src/events/events.js";

const IDS = ["550e8400-e29b-41d4-a716-446655440000", "650e8400-e29b-41d4-a716-446655440000"] as const;
const at = "2026-01-01T00:00:00Z";
const never = new AbortController().signal;

/** The n-th event of a series: two sessions in two projects, every fifth is a pause. */
function nth(n: number): EventBody {
  const common = { at, session_id: IDS[n % 2] ?? IDS[0], project_id: n % 2 === 0 ? "web" : "api" };
  return n % 5 === 0 ? { ...common, type: "session_unpaused" } : { ...common, type: "session_text_sent", outcome: "submitted", bytes: n };
}

function fixture({ maxBytes = Number.POSITIVE_INFINITY, heartbeatMs = 15_000 } = {}) {
  const journal = memoryJournal({ maxBytes });
  const sessionId = async (session: string) => {
    if (session === "demo") return IDS[0];
    throw new TmpmError("SESSION_NOT_FOUND", `there is no session ${session}`);
  };
  let last = 0;
  return {
    journal,
    ...events({ journal, sessionId, projectId: async (project) => project, heartbeatMs }),
    async happen(count: number) {
      for (let done = 0; done < count; done++) await journal.append(nth(++last));
    },
  };
}

const numbers = ({ events: found }: { readonly events: readonly { readonly seq: number }[] }) => found.map(({ seq }) => seq);

test("pages cover every event once, up to the newest", async () => {
  const l = fixture();
  await l.happen(250);
  const seen: number[] = [];
  for (let after = 0; ; ) {
    const page = await l.page({ after }, { signal: never });
    seen.push(...numbers(page));
    if (page.next === after) break;
    after = page.next;
  }
  expect(seen).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
});

test.each([
  [{ session: "demo" }, (n: number) => n % 2 === 0],
  [{ session: IDS[1] }, (n: number) => n % 2 === 1],
  [{ project_id: "api" }, (n: number) => n % 2 === 1],
  [{ type: ["session_unpaused", "turn_ended"] }, (n: number) => n % 5 === 0],
  [{ session: "demo", type: ["session_unpaused"] }, (n: number) => n % 10 === 0],
  [{ project_id: "api", session: "demo" }, () => false],
])("%j leaves out the rest, and the next number is beyond it", async (filter, isWanted) => {
  const l = fixture();
  await l.happen(40);
  const page = await l.page({ ...filter, limit: 1000 }, { signal: never });
  expect(numbers(page)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1).filter(isWanted));
  expect(page.next).toBe(40);
});

test("an unknown session is an error; the id of a deleted one is not", async () => {
  const l = fixture();
  await expect(l.page({ session: "x" }, { signal: never })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  expect(await l.page({ session: "750e8400-e29b-41d4-a716-446655440000" }, { signal: never })).toMatchObject({ events: [] });
});

test("a follower that is too far behind gets the position to resume at; a follower of everything gets the retained events", async () => {
  const l = fixture({ maxBytes: 8_000 });
  await l.happen(200);
  expect(await l.page({ after: 1 }, { signal: never })).toEqual({ events: [], next: 200, behind: { snapshot_at: 200 } });
  expect(await l.page({ after: 999 }, { signal: never })).toEqual({ events: [], next: 200, behind: { snapshot_at: 200 } });
  const left = await l.page({ limit: 1000 }, { signal: never });
  expect(left.behind).toBeNull();
  expect(numbers(left).at(-1)).toBe(200);
  expect(numbers(left).length).toBeGreaterThan(20);
});

test("a wait ends with the first matching event", async () => {
  const l = fixture();
  await l.happen(1);
  const waiting = l.page({ after: 1, project_id: "api", wait_ms: 60_000 }, { signal: never });
  await l.happen(2);
  expect(await waiting).toMatchObject({ events: [{ seq: 3 }], next: 3 });
});

test("a wait ends at its timeout or when its caller leaves, with the number it reached", async () => {
  const l = fixture();
  await l.happen(4);
  expect(await l.page({ after: 4, wait_ms: 5 }, { signal: never })).toEqual({ events: [], next: 4, behind: null });
  const gone = new AbortController();
  const waiting = l.page({ after: 0, type: ["turn_ended"], wait_ms: 60_000 }, { signal: gone.signal });
  gone.abort();
  expect(await waiting).toEqual({ events: [], next: 4, behind: null });
});

test("events of a newer version are passed on unchanged, and an unreadable one keeps its number unless a filter excludes it", async () => {
  const l = fixture();
  await l.happen(1);
  const event = { seq: 2, type: "session_dreamt", at, session_id: IDS[0], sheep: [1] };
  l.journal.put({ kind: "unknown", seq: 2, event });
  l.journal.put({ kind: "damaged", seq: 3, reason: "torn" });
  expect((await l.page({ after: 1 }, { signal: never })).events).toEqual([event, { seq: 3, type: "damaged", problem: "torn" }]);
  expect((await l.page({ after: 1, session: "demo" }, { signal: never })).events).toEqual([event]);
});

test("few matches among many events take several pages, each with an end", async () => {
  const l = fixture();
  const entries = Array.from({ length: 25_000 }, (_, index) => ({
    kind: "event" as const,
    seq: index + 1,
    event: { seq: index + 1, ...nth(1) },
  }));
  const journal = {
    follow: l.journal.follow,
    read: async ({ after, limit }: { after: number; limit: number }) => ({
      kind: "events" as const,
      entries: entries.slice(after, after + limit),
    }),
  };
  const { page } = events({ journal, sessionId: async () => IDS[0], projectId: async (project) => project });
  const first = await page({ after: 0, session: "demo" }, { signal: never });
  expect(first).toEqual({ events: [], next: 10_000, behind: null });
});

async function take(frames: AsyncIterable<string>, count: number): Promise<string> {
  const taken: string[] = [];
  for await (const frame of frames) {
    taken.push(frame);
    if (taken.length === count) break;
  }
  return taken.join("");
}

test("each event's number is its id in a stream, progress is reported without matches, and Last-Event-ID resumes", async () => {
  const l = fixture({ heartbeatMs: 5 });
  await l.happen(6);
  const stream = await l.stream({ after: 0, project_id: "web" }, { signal: never, lastEventId: "3" });
  const text = await take(stream, 3);
  expect(text.replaceAll(/^data: .*$/gm, "data")).toBe("retry: 1000\n\nid: 4\ndata\n\nid: 6\ndata\n\n: so far\nid: 6\n\n");
  const data = Array.from(text.matchAll(/^data: (.*)$/gm), ([, json = ""]) => JSON.parse(json));
  expect(data).toEqual([4, 6].map((seq) => ({ seq, ...nth(seq) })));
});

test("a reader of a stream may request more frequent messages", async () => {
  const l = fixture();
  await l.happen(2);
  const stream = await l.stream({ after: 2, alive_ms: 5 }, { signal: never, lastEventId: null });
  expect(await take(stream, 3)).toBe(`retry: 1000\n\n${": so far\nid: 2\n\n".repeat(2)}`);
});

test("a stream reports that the follower is behind, then continues; it ends when its reader leaves", async () => {
  const l = fixture({ maxBytes: 8_000 });
  await l.happen(200);
  const gone = new AbortController();
  const stream = await l.stream({ after: 1 }, { signal: gone.signal, lastEventId: null });
  expect(await take({ [Symbol.asyncIterator]: () => ({ next: () => stream[Symbol.asyncIterator]().next() }) }, 2)).toBe(
    'retry: 1000\n\nid: 200\nevent: behind\ndata: {"snapshot_at":200}\n\n',
  );
  gone.abort();
  expect(await take(stream, 10)).toMatch(/^(: so far\nid: 200\n\n)?$/);
});

test("a stream that cannot continue states the reason", async () => {
  const l = fixture();
  await l.journal.close();
  const closed = events({
    journal: { ...l.journal, follow: () => ({ close: () => undefined }) },
    sessionId: async () => IDS[0],
    projectId: async (project) => project,
  });
  const text = await take(await closed.stream({}, { signal: never, lastEventId: null }), 5);
  expect(text).toMatch(/^retry: 1000\n\nevent: error\ndata: \{"error":\{"code":"SHUTTING_DOWN"/);
  await expect(l.stream({}, { signal: never, lastEventId: "x" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});
