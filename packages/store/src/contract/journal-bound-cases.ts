import assert from "node:assert/strict";
import type { EventJournal } from "../events/journal.js";
import { assertRejects } from "./assertions.js";
import type { JournalCase } from "./journal-fixture.js";
import { appendMany, numbersOf, read, sampleEvent, upTo } from "./sample-event.js";

const HOUR = 3_600_000;

export const boundedCases: readonly JournalCase[] = [
  {
    title: "stays within the byte limit: drops the oldest events, keeps the newest, continues the numbers",
    limits: { maxBytes: 8_000 },
    async run({ journal }) {
      await appendMany(journal, 200);
      const page = await read(journal, await oldestKept(journal));
      assert.ok(page.kind === "events");
      const numbers = page.entries.map(({ seq }) => seq);
      assert.ok(numbers.length >= 20 && numbers.length < 100, `${numbers.length} are kept`);
      assert.deepEqual(numbers, upTo(200, { first: 201 - numbers.length }));
      const bytes = page.entries.reduce((sum, entry) => sum + JSON.stringify(entry.kind === "event" ? entry.event : null).length + 1, 0);
      assert.ok(bytes <= 8_000, `${bytes} bytes are kept`);
    },
  },
  {
    title: "a lagging reader is notified, and continues from the snapshot without a gap",
    limits: { maxBytes: 8_000 },
    async run({ journal }) {
      await appendMany(journal, 200);
      const page = await read(journal, 1);
      assert.ok(page.kind === "behind");
      assert.equal(page.snapshot_at, 200);
      assert.deepEqual(numbersOf(await read(journal, page.oldest)), upTo(200, { first: page.oldest + 1 }));
      assert.equal(numbersOf(await read(journal, page.oldest - 1)), "behind 200");
      await appendMany(journal, 5);
      assert.deepEqual(numbersOf(await read(journal, 200)), upTo(205, { first: 201 }));
    },
  },
  {
    title: "rejects an event larger than an eighth of the journal",
    limits: { maxBytes: 8_000 },
    async run({ journal }) {
      await assertRejects(journal.append(sampleEvent("x".repeat(1_000))), "INVALID_ARGUMENT");
      assert.equal((await journal.append(sampleEvent("x".repeat(700)))).seq, 1);
    },
  },
  agedCase(),
];

function agedCase(): JournalCase {
  let now = Date.parse("2026-01-01T00:00:00Z");
  return {
    title: "later appends drop expired events, keep the others, and continue the numbers",
    limits: { maxAgeMs: 6 * HOUR, clock: () => now },
    async run({ journal }) {
      for (let hour = 0; hour < 20; hour++) {
        await journal.append(sampleEvent("hourly"));
        now += HOUR;
      }
      const kept = 20 - (await oldestKept(journal));
      assert.ok(kept >= 5 && kept <= 8, `${kept} are kept`);
      assert.deepEqual(numbersOf(await read(journal, 20 - kept)), upTo(20, { first: 21 - kept }));
    },
  };
}

/** The smallest number that `read` accepts. */
async function oldestKept(journal: EventJournal): Promise<number> {
  for (let after = 0; ; after++) if ((await journal.read({ after, limit: 1 })).kind === "events") return after;
}
