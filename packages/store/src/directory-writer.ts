import { basename, dirname, join } from "node:path";
import { SessionId, type SessionRecord, TmpmError } from "@tmpm/core";
import type { DirectoryReader } from "./directory-reader.js";
import { makeFolder, moveDurably, removeDurably } from "./durable-folder.js";
import { statOf } from "./file-identity.js";
import { keyedQueue } from "./keyed-queue.js";
import { MAX_DOCUMENT_BYTES, readBounded } from "./read-bounded.js";
import { decodeDocument, encodeChange, encodeRecord, type Place } from "./record-document.js";
import { entryOf, type FolderPlace, RECORD_SUFFIX, type RecordFile } from "./record-file.js";
import { withRecordLock } from "./record-lock.js";
import { nextRecord, notFound, refuseEntry, taken, tooLarge, writableRecord } from "./record-rules.js";
import { ARCHIVE } from "./scan.js";
import type { Entry, SessionStore } from "./store.js";
import { type WriteCalls, writeDurably } from "./write-durably.js";

export type DirectoryWriter = Pick<SessionStore, "create" | "update" | "archive" | "delete"> & {
  /** Resolves when no write is under way. */
  idle(): Promise<void>;
};

export interface WriterOptions {
  readonly base: string;
  readonly reader: DirectoryReader;
  readonly calls: WriteCalls;
}

type SessionFile = RecordFile & { readonly entry: Extract<Entry, { readonly kind: "session" }> };

/** How often an update starts again because a program without our lock rewrote the record meanwhile. */
const ATTEMPTS = 5;

export function directoryWriter({ base, reader, calls }: WriterOptions): DirectoryWriter {
  const queue = keyedQueue();

  /** Text that is no id of ours never becomes a path: the catalog alone knows what it may name. */
  function locked<T>(id: SessionId, task: () => Promise<T>): Promise<T> {
    return queue.run(id, async () => {
      requireHealth();
      return SessionId.safeParse(id).success ? withRecordLock({ base, id }, task) : task();
    });
  }

  function requireHealth(): void {
    if (reader.health().state === "degraded") reader.reload();
    const health = reader.health();
    if (health.state === "degraded") throw health.error;
  }

  /** The record that stands for an id; null when there is none. @throws for an entry that cannot be written */
  function current(id: SessionId): SessionFile | null {
    const file = reader.current(id);
    requireHealth();
    if (file === null) return null;
    if (file.entry.kind !== "session") throw refuseEntry(file.entry);
    return { ...file, entry: file.entry };
  }

  async function create(record: SessionRecord): Promise<SessionRecord> {
    const text = encodeRecord({ ...record, rev: 1 });
    const stored = checkedRecord(text, record);
    return locked(stored.id, async () => {
      reader.reload();
      requireHealth();
      if (reader.catalog.byId(stored.id).length > 0) throw taken(stored.id);
      const folder = join(base, stored.project_id);
      await makeFolder(folder, calls);
      const path = join(folder, `${stored.id}${RECORD_SUFFIX}`);
      await writeDurably(path, { calls, text });
      const place = { id: stored.id, project_id: stored.project_id, path, archived: false };
      reader.wrote({ puts: [writtenFile(place, { record: stored, text })], drops: [] });
      return stored;
    });
  }

  async function update(id: SessionId, change: (current: SessionRecord) => SessionRecord): Promise<SessionRecord> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const file = current(id);
      if (file === null) throw notFound(id);
      const before = readCurrent(file);
      if (before === null) continue;
      const changed = change(before.record);
      if (changed === before.record) return before.record;
      const text = encodeChange(before.text, { current: before.record, next: nextRecord(before.record, changed) });
      const stored = checkedRecord(text, file);
      if (!(await writeDurably(file.path, { calls, text, stillWanted: () => holds(file.path, before.text) }))) continue;
      reader.wrote({ puts: [writtenFile(file, { record: stored, text })], drops: [] });
      return stored;
    }
    throw new TmpmError("REV_CONFLICT", `another program keeps rewriting the record of ${id}`, { details: { id } });
  }

  async function archive(id: SessionId): Promise<void> {
    const file = current(id);
    if (file === null) throw notFound(id);
    if (file.archived) return;
    const to = join(dirname(file.path), ARCHIVE, basename(file.path));
    await makeFolder(dirname(to), calls);
    if (statOf(to) !== null) throw refuseEntry({ kind: "damaged", id, reason: `the archive holds another one at ${to}` });
    await moveDurably(file.path, { to, calls });
    const moved = { ...file, path: to, archived: true, entry: { ...file.entry, archived: true }, identity: null };
    reader.wrote({ puts: [moved], drops: [file.path] });
  }

  async function remove(id: SessionId): Promise<void> {
    if (current(id) === null) return;
    for (const file of reader.catalog.byId(id)) {
      if (file.entry.kind !== "session") continue;
      await removeDurably(file.path, calls);
      reader.wrote({ puts: [], drops: [file.path] });
    }
  }

  return {
    create,
    update: (id, change) => locked(id, () => update(id, change)),
    archive: (id) => locked(id, () => archive(id)),
    delete: (id) => locked(id, () => remove(id)),
    idle: queue.idle,
  };
}

/** The text of a file and the record it holds, from one read; null when it is not that file any more. */
function readCurrent(file: SessionFile): { readonly text: string; readonly record: SessionRecord } | null {
  const content = readBounded(file.path);
  if (content.kind !== "text") return null;
  const entry = content.text === file.racyText ? file.entry : entryOf(content.text, file);
  return entry.kind === "session" ? { text: content.text, record: entry.record } : null;
}

function holds(path: string, text: string): boolean {
  const content = readBounded(path);
  return content.kind === "text" && content.text === text;
}

/** @throws INVALID_ARGUMENT when the text would not read back as a record */
function checkedRecord(text: string, place: Place): SessionRecord {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) throw tooLarge(place.id);
  return writableRecord(decodeDocument(text, place), place.id);
}

/** Without an identity: the next look compares the text, and parses only if it is another. */
function writtenFile(
  place: FolderPlace & { readonly id: string },
  { record, text }: { readonly record: SessionRecord; readonly text: string },
): RecordFile {
  const { id, project_id, path, archived } = place;
  return { id, project_id, path, archived, identity: null, racyText: text, entry: { kind: "session", record, archived } };
}
