import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { sampleEvent } from "../src/contract/sample-event.js";
import { eventJournal } from "../src/events/event-journal.js";
import { type ScratchFolder, scratchFolder } from "./scratch-folder.js";
import { type Worker, type Workers, workers } from "./worker.js";

const scale = Number(process.env.TMPM_TEST_SCALE ?? "1");
const seed = Number(process.env.TMPM_TEST_SEED ?? "1");
const maxBytes = 16_000;
let all: Workers;
let folder: ScratchFolder;
let dir: string;

beforeAll(async () => {
  all = await workers();
});
afterAll(() => all.dispose());
beforeEach(() => {
  folder = scratchFolder();
  dir = join(folder.path, "events");
});
afterEach(() => folder.remove());

interface Acknowledged {
  readonly seq: number;
  readonly outcome: string;
}

/** Output of a victim until its end. */
async function lastWords(victim: Worker): Promise<readonly Acknowledged[]> {
  const said = (await victim.rest()) as readonly Acknowledged[];
  expect(await victim.ended).toBe("SIGKILL");
  return said;
}

/** Every stored number has its event, and every acknowledged event in the store has its number. Returns the newest number. */
async function expectWhole(acknowledged: readonly Acknowledged[]): Promise<number> {
  const journal = eventJournal({ dir, maxBytes });
  const { seq: last } = await journal.append(sampleEvent("after the kill"));
  const first = await oldestKept(journal);
  const page = await journal.read({ after: first, limit: 1_000_000 });
  await journal.close();
  if (page.kind !== "events") throw new Error("behind at once");
  expect(page.entries.map(({ seq }) => seq)).toEqual(Array.from({ length: last - first }, (_, index) => first + 1 + index));
  const outcomes = new Map(
    page.entries.map((entry) => [
      entry.seq,
      entry.kind === "event" && entry.event.type === "session_text_sent" ? entry.event.outcome : entry.kind,
    ]),
  );
  for (const { seq, outcome } of acknowledged) if (seq > first) expect(outcomes.get(seq)).toBe(outcome);
  expect(new Set(acknowledged.map(({ seq }) => seq)).size).toBe(acknowledged.length);
  expect(last).toBeGreaterThan(Math.max(0, ...acknowledged.map(({ seq }) => seq)));
  return last;
}

async function oldestKept(journal: ReturnType<typeof eventJournal>): Promise<number> {
  for (let after = 0; ; after++) if ((await journal.read({ after, limit: 1 })).kind === "events") return after;
}

test("a process killed at any moment leaves every acknowledged event with its number, and no gap", {
  timeout: 60_000 + 60_000 * scale,
}, async () => {
  const rounds = scale < 10 ? 3 * scale : 6 * scale;
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < rounds; round++) {
    const victim = all.startJournal({ dir, maxBytes });
    for (let said = 0; said <= round * (scale < 10 ? 34 : 17); said++) acknowledged.push((await victim.next()) as Acknowledged);
    victim.kill("SIGKILL");
    acknowledged.push(...(await lastWords(victim)));
    await expectWhole(acknowledged);
  }
  expect(acknowledged.length).toBeGreaterThan(100);
});

/** The first of each kind, and some of a journal that was begun, dropped and begun again. */
const DEATHS = [
  { call: "open", nth: 1 },
  { call: "open", nth: 9 },
  { call: "write", nth: 1 },
  { call: "write", nth: 11 },
  { call: "write", nth: 30 },
  { call: "fsync", nth: 1 },
  { call: "fsync", nth: 30 },
  { call: "close", nth: 12 },
  { call: "unlink", nth: 1 },
  { call: "unlink", nth: 2 },
] as const;

/** Every second one, from an offset given by the seed; all of them at full scale. */
const SOME = DEATHS.filter((_, index) => scale >= 10 || (index + seed) % 2 === 0);

test.each(SOME)("a process that dies in call $call number $nth leaves every acknowledged event, and no gap", async (die) => {
  const last = await expectWhole(await lastWords(all.startJournal({ dir, maxBytes, die })));
  const next = eventJournal({ dir, maxBytes });
  expect(await next.append(sampleEvent("by the next one"))).toMatchObject({ seq: last + 1 });
  await next.close();
});

test("a journal is exclusive to one process, and free at once after its death", async () => {
  const holder = all.startJournal({ dir, maxBytes });
  await holder.next();
  const journal = eventJournal({ dir, maxBytes });
  const held = { code: "STORE_DEGRADED", effect: "none", details: { pid: holder.pid } };
  await expect(journal.append(sampleEvent("a"))).rejects.toMatchObject(held);
  await expect(journal.read({ after: 0, limit: 1 })).rejects.toMatchObject(held);
  holder.kill("SIGKILL");
  const acknowledged = await lastWords(holder);
  expect((await journal.append(sampleEvent("a"))).seq).toBeGreaterThan(acknowledged.at(-1)?.seq ?? 0);
  await journal.close();
});
