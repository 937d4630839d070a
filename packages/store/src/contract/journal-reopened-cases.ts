import assert from "node:assert/strict";
import type { JournalCase, JournalFixture, OutsideChange } from "./journal-fixture.js";
import { appendMany, numbersOf, read, sampleEvent, upTo } from "./sample-event.js";

function reopened({ reopen }: JournalFixture, tampering?: OutsideChange) {
  assert.ok(reopen !== undefined, "the fixture lacks a part that it declared");
  return reopen(tampering);
}

export const reopenedCases: readonly JournalCase[] = [
  {
    title: "a reopened journal has the same events and continues the numbers",
    async run(fixture) {
      await appendMany(fixture.journal, 5);
      const before = await read(fixture.journal, 0);
      const journal = await reopened(fixture);
      assert.deepEqual(await read(journal, 0), before);
      assert.equal((await journal.append(sampleEvent("a"))).seq, 6);
      assert.deepEqual(numbersOf(await read(journal, 3)), [4, 5, 6]);
    },
  },
  {
    title: "a follower of a reopened journal receives no earlier events",
    async run(fixture) {
      await appendMany(fixture.journal, 5);
      const journal = await reopened(fixture);
      const heard: number[] = [];
      journal.follow(({ seq }) => heard.push(seq));
      await appendMany(journal, 2);
      assert.deepEqual(heard, [6, 7]);
    },
  },
  {
    title: "numbers continue when no numbered event is left",
    limits: { maxBytes: 8_000 },
    async run(fixture) {
      await appendMany(fixture.journal, 300);
      const journal = await reopened(fixture);
      assert.equal((await journal.append(sampleEvent("a"))).seq, 301);
      assert.equal(numbersOf(await read(journal, 0)), "behind 301");
    },
  },
  {
    title: "an event of an unknown type is kept whole, with its number",
    async run(fixture) {
      await appendMany(fixture.journal, 2);
      const event = { seq: 3, type: "session_dreamt", at: "2030-01-01T00:00:00Z", dream: { of: ["sheep", null] } };
      const journal = await reopened(fixture, { add: event });
      assert.deepEqual(await read(journal, 2), { kind: "events", entries: [{ kind: "unknown", seq: 3, event }] });
      assert.equal((await journal.append(sampleEvent("a"))).seq, 4);
    },
  },
  {
    title: "an unreadable event is reported as damaged, hides no other, and its number is not reused",
    async run(fixture) {
      for (const damage of [1, 3, 5]) {
        const last = await lastOf(fixture);
        const journal = await reopened(fixture, { damage });
        assert.deepEqual(numbersOf(await read(journal, 0)), upTo(last));
        assert.equal((await journal.append(sampleEvent("next"))).seq, last + 1);
      }
      const page = await read(await reopened(fixture), 0);
      assert.ok(page.kind === "events");
      assert.deepEqual(
        page.entries.map(({ kind }) => kind),
        ["damaged", "event", "damaged", "event", "damaged", "event", "event", "event"],
      );
    },
  },
];

/** Of a journal with at least five events. */
async function lastOf(fixture: JournalFixture): Promise<number> {
  const journal = await reopened(fixture);
  const page = await read(journal, 0);
  assert.ok(page.kind === "events");
  if (page.entries.length >= 5) return page.entries.length;
  await appendMany(journal, 5);
  return 5;
}
