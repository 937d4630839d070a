import type { SessionRecord } from "@tmpm/core";
import { sampleRecord } from "../../src/contract/sample-record.js";
import type { SessionStore } from "../../src/store.js";
import { ABSENT, type Operation, type Recorder } from "./operation.js";
import { outcomeOf } from "./read-back.js";

/** Number of sessions that change at the same time. */
const SESSIONS = 4;

/** Runs every operation of a store on several sessions at once, and records the file operations. */
export async function recordWorkload(store: SessionStore, { log, change }: Recorder): Promise<readonly Operation[]> {
  const records = Array.from({ length: SESSIONS }, (_, index) =>
    sampleRecord(index + 1, { project_id: index % 2 === 0 ? "default" : "other" }),
  );

  const live = (record: SessionRecord) => outcomeOf({ kind: "session", record, archived: false });
  const each = (task: (record: SessionRecord, index: number) => Promise<void>) => Promise.all(records.map(task));
  const update = (task: string) => (record: SessionRecord, index: number) =>
    change(record.id, async () => live(await store.update(record.id, (current) => ({ ...current, task: task.repeat(index + 1) }))));

  await each((record) => change(record.id, async () => live(await store.create(record))));
  await each(update("short"));
  await each(update("longer than a sector of the disk ".repeat(20)));
  await each(update("short again"));
  const [first, second, third, fourth] = records;
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) throw new TypeError("too few sessions");
  await Promise.all([
    change(first.id, () => archive(store, first)),
    change(second.id, () => archive(store, second)),
    change(third.id, () => remove(store, third)),
    update("while others go")(fourth, 3),
  ]);
  await Promise.all([
    change(first.id, () => archivedUpdate(store, first)),
    change(second.id, () => remove(store, second)),
    change(third.id, async () => live(await store.create({ ...third, task: "again" }))),
    update("last")(fourth, 3),
  ]);
  await Promise.all([first, fourth].map((record) => change(record.id, () => move(store, record))));
  await update("moved")(fourth, 3);
  await store.close();
  return log;
}

async function archive(store: SessionStore, { id }: SessionRecord): Promise<string> {
  await store.archive(id);
  const entry = await store.get(id);
  return entry === null ? ABSENT : outcomeOf(entry);
}

async function archivedUpdate(store: SessionStore, { id }: SessionRecord): Promise<string> {
  const record = await store.update(id, (current) => ({ ...current, task: "in the archive" }));
  return outcomeOf({ kind: "session", record, archived: true });
}

async function move(store: SessionStore, { id, project_id }: SessionRecord): Promise<string> {
  await store.move(id, project_id === "default" ? "other" : "default");
  const entry = await store.get(id);
  return entry === null ? ABSENT : outcomeOf(entry);
}

async function remove(store: SessionStore, { id }: SessionRecord): Promise<string> {
  await store.delete(id);
  return ABSENT;
}
