import assert from "node:assert/strict";
import { assertRejects } from "./assertions.js";
import type { JournalCase } from "./journal-fixture.js";
import { appendMany, numbersOf, read, sampleEvent, upTo } from "./sample-event.js";

export const journalCases: readonly JournalCase[] = [
  {
    title: "a new journal is empty, and any number is unknown",
    async run({ journal }) {
      assert.deepEqual(await read(journal, 0), { kind: "events", entries: [] });
      assert.deepEqual(await read(journal, 1), { kind: "behind", snapshot_at: 0, oldest: 0 });
    },
  },
  {
    title: "append numbers events from 1, and read returns them in order",
    async run({ journal }) {
      const bodies = ["a", "größer\u2028\n\ud83d\ude80", ""].map(sampleEvent);
      const events = bodies.map((body, index) => ({ seq: index + 1, ...body }));
      for (const [index, body] of bodies.entries()) assert.deepEqual(await journal.append(body), events[index]);
      const entries = events.map((event) => ({ kind: "event", seq: event.seq, event }));
      assert.deepEqual(await read(journal, 0), { kind: "events", entries });
    },
  },
  {
    title: "concurrent appends get numbers in call order, without a gap",
    async run({ journal }) {
      const outcomes = Array.from({ length: 300 }, (_, index) => String(index));
      const events = await Promise.all(outcomes.map((outcome) => journal.append(sampleEvent(outcome))));
      assert.deepEqual(
        events,
        outcomes.map((outcome, index) => ({ seq: index + 1, ...sampleEvent(outcome) })),
      );
      assert.deepEqual(numbersOf(await read(journal, 0)), upTo(300));
    },
  },
  {
    title: "read continues after any number, up to a limit",
    async run({ journal }) {
      await appendMany(journal, 10);
      for (let after = 0; after <= 10; after++) assert.deepEqual(numbersOf(await read(journal, after)), upTo(10, { first: after + 1 }));
      assert.deepEqual(numbersOf(await journal.read({ after: 3, limit: 2 })), [4, 5]);
      assert.equal(numbersOf(await read(journal, 11)), "behind 10");
    },
  },
  {
    title: "read rejects an invalid number or limit",
    async run({ journal }) {
      for (const after of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
        await assertRejects(journal.read({ after, limit: 1 }), "INVALID_ARGUMENT");
      for (const limit of [0, -1, 1.5, Number.NaN]) await assertRejects(journal.read({ after: 0, limit }), "INVALID_ARGUMENT");
    },
  },
  {
    title: "append rejects an event that would not read back, and uses no number for it",
    async run({ journal }) {
      const body = sampleEvent("a");
      for (const changes of [{ at: "yesterday" }, { session_id: "x" }, { bytes: 0.5 }]) {
        await assertRejects(journal.append({ ...body, ...changes }), "INVALID_ARGUMENT");
      }
      assert.equal((await journal.append(body)).seq, 1);
    },
  },
  {
    title: "a caller's change to an event leaves the journal unchanged",
    async run({ journal }) {
      const body = { ...sampleEvent("a") };
      const event = await journal.append(body);
      body.at = "2027-01-01T00:00:00Z";
      const page = await read(journal, 0);
      assert.ok(page.kind === "events" && page.entries[0]?.kind === "event");
      assert.deepEqual(page.entries[0].event, { seq: 1, ...sampleEvent("a") });
      assert.deepEqual(event, page.entries[0].event);
    },
  },
  {
    title: "a follower receives every event once, in order, before its append resolves",
    async run({ journal }) {
      await appendMany(journal, 2);
      const heard: number[] = [];
      journal.follow(({ seq }) => heard.push(seq));
      assert.deepEqual(heard, []);
      for (let seq = 3; seq < 6; seq++) {
        assert.equal((await journal.append(sampleEvent("a"))).seq, seq);
        assert.equal(heard.at(-1), seq);
      }
      await Promise.all(upTo(50).map(() => journal.append(sampleEvent("a"))));
      assert.deepEqual(heard, upTo(55, { first: 3 }));
    },
  },
  {
    title: "a follower that then reads misses no event",
    async run({ journal }) {
      const heard: number[] = [];
      const appended = Promise.all(upTo(40).map(() => journal.append(sampleEvent("a"))));
      journal.follow(({ seq }) => heard.push(seq));
      const seen = numbersOf(await read(journal, 0));
      await appended;
      assert.ok(Array.isArray(seen));
      assert.deepEqual([...new Set([...seen, ...heard])], upTo(40));
    },
  },
  {
    title: "a closed follower receives nothing more, and closing is idempotent",
    async run({ journal }) {
      const heard: number[] = [];
      const subscription = journal.follow(({ seq }) => heard.push(seq));
      subscription.close();
      subscription.close();
      await appendMany(journal, 1);
      assert.deepEqual(heard, []);
    },
  },
  {
    title: "close waits for pending appends, is idempotent, and ends all use",
    async run({ journal }) {
      const appended = journal.append(sampleEvent("a"));
      await journal.close();
      assert.equal((await appended).seq, 1);
      await journal.close();
      await assertRejects(journal.append(sampleEvent("b")), "SHUTTING_DOWN");
      await assertRejects(read(journal, 0), "SHUTTING_DOWN");
      assert.throws(() => journal.follow(() => undefined));
    },
  },
];
