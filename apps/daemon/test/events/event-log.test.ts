import type { EventBody } from "@tmpm/core";
import { TmpmError } from "@tmpm/core";
import { type MemoryJournal, memoryJournal } from "@tmpm/store/memory";
import { expect, test } from "vitest";
import { eventLog } from "../../src/events/event-log.js";

const ID = "550e8400-e29b-41d4-a716-446655440000";
const at = "2026-01-01T00:00:00Z";
const sent = (bytes: number): EventBody => ({ type: "session_text_sent", at, session_id: ID, outcome: "submitted", bytes });
const full = (effect: "none" | "unknown") => new TmpmError("STORAGE_FULL", "no space left", { effect });

function fixture(options: { readonly maxWaiting?: number; readonly projectOf?: (id: string) => Promise<string | null> } = {}) {
  const journal = memoryJournal();
  const faults: unknown[] = [];
  const failing: { with: Error | null } = { with: null };
  /** Number of appends that fail with an unknown effect; the first `left` of them are in the journal. */
  const doubtful = { appends: 0, left: 0, behind: false };
  const log = eventLog({
    journal: {
      ...journal,
      async append(body) {
        if (failing.with !== null) throw failing.with;
        if (doubtful.appends-- <= 0) return journal.append(body);
        if (doubtful.left-- > 0) await journal.append(body);
        throw full("unknown");
      },
      read: async (from) => (doubtful.behind ? { kind: "behind", snapshot_at: 9, oldest: 9 } : journal.read(from)),
    },
    projectOf: async () => "web",
    report: ({ error }) => faults.push(error),
    clock: () => 0,
    retryMs: 1,
    ...options,
  });
  return { journal, faults, failing, doubtful, log };
}

async function written(journal: MemoryJournal): Promise<readonly unknown[]> {
  const page = await journal.another().read({ after: 0, limit: 100_000 });
  return page.kind === "behind"
    ? []
    : page.entries.map((entry) => (entry.kind === "event" && "bytes" in entry.event ? entry.event.bytes : entry));
}

test("events keep the order in which they were emitted, even if their project takes long to look up, and name that project", async () => {
  const { journal, log } = fixture({ projectOf: () => new Promise((resolve) => setImmediate(resolve, "web")) });
  for (let bytes = 0; bytes < 600; bytes++) log.emit(bytes % 3 === 0 ? { ...sent(bytes), project_id: "own" } : sent(bytes));
  await log.close();
  expect(await written(journal)).toEqual(Array.from({ length: 600 }, (_, bytes) => bytes));
  const page = await journal.another().read({ after: 0, limit: 2 });
  expect(page).toMatchObject({ entries: [{ event: { project_id: "own" } }, { event: { project_id: "web" } }] });
});

test("an event of a session with an unknown project is written without one", async () => {
  const { journal, log } = fixture({ projectOf: async () => Promise.reject(new TmpmError("STORE_DEGRADED", "gone")) });
  log.emit(sent(1));
  await log.close();
  expect(await journal.another().read({ after: 0, limit: 1 })).toEqual({
    kind: "events",
    entries: [{ kind: "event", seq: 1, event: { seq: 1, ...sent(1) } }],
  });
});

test("a failing journal is reported once and degrades, and missed events are written in order when it works again", async () => {
  const { journal, faults, failing, log } = fixture();
  failing.with = full("none");
  log.emit(sent(1));
  await expect.poll(() => log.failure()).toMatchObject({ code: "STORAGE_FULL" });
  for (const bytes of [2, 3, 4]) log.emit(sent(bytes));
  failing.with = null;
  await expect.poll(() => log.failure()).toBeNull();
  await log.close();
  expect(await written(journal)).toEqual([1, 2, 3, 4]);
  expect(faults).toMatchObject([{ code: "STORAGE_FULL" }]);
});

test.each([
  ["none", 0],
  ["some", 2],
  ["all", 3],
] as const)("of events whose write may have succeeded, and of which the journal holds %s, each is written once", async (_, count) => {
  const { journal, faults, doubtful, log } = fixture();
  log.emit(sent(0));
  await expect.poll(() => written(journal)).toEqual([0]);
  Object.assign(doubtful, { appends: 3, left: count });
  for (const bytes of [1, 2, 3]) log.emit(sent(bytes));
  await expect.poll(() => faults).toMatchObject([{ code: "STORAGE_FULL", effect: "unknown" }]);
  log.emit(sent(4));
  await expect.poll(() => written(journal)).toEqual([0, 1, 2, 3, 4]);
  expect(log.failure()).toBeNull();
  await log.close();
  expect(faults).toHaveLength(1);
});

test("events whose write may have succeeded are counted as lost when the journal no longer holds their numbers", async () => {
  const { journal, log, doubtful } = fixture();
  log.emit(sent(0));
  await expect.poll(() => written(journal)).toEqual([0]);
  Object.assign(doubtful, { appends: 1, behind: true });
  log.emit(sent(1));
  await expect.poll(() => written(journal)).toMatchObject([0, { event: { type: "events_lost", count: 1 } }]);
  await log.close();
});

test("while nothing can be written, a limited number of events wait, and the number of lost ones becomes an event", async () => {
  const { journal, faults, failing, log } = fixture({ maxWaiting: 10 });
  failing.with = full("none");
  for (let bytes = 0; bytes < 25; bytes++) log.emit(sent(bytes));
  await expect.poll(() => log.failure()).not.toBeNull();
  failing.with = null;
  await expect.poll(() => log.failure()).toBeNull();
  await log.close();
  const [lost, ...kept] = [...(await written(journal))].reverse();
  expect(kept.reverse()).toEqual(Array.from({ length: 10 }, (_, bytes) => bytes));
  expect(lost).toMatchObject({ event: { type: "events_lost", count: 15 } });
  expect(faults).toMatchObject([{ code: "STORE_DEGRADED" }, { code: "STORAGE_FULL" }]);
});

test("an event that cannot be written at all is reported, and does not delay others", async () => {
  const { journal, faults, log } = fixture();
  log.emit({ ...sent(1), at: "yesterday" });
  log.emit(sent(2));
  await log.close();
  expect(await written(journal)).toEqual([2]);
  expect(faults).toMatchObject([{ code: "INVALID_ARGUMENT" }]);
  expect(log.failure()).toBeNull();
});

test("closing retries once, reports how many events are dropped, and later events are lost", async () => {
  const { journal, faults, failing, log } = fixture();
  failing.with = full("none");
  log.emit(sent(1));
  await log.close();
  log.emit(sent(2));
  expect(await written(journal)).toEqual([]);
  expect(faults).toMatchObject([{ code: "STORAGE_FULL" }, { message: "1 events are lost" }, { message: "events are being lost" }]);
});
