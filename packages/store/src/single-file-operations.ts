import { dirname } from "node:path";
import { parseSlug, type SessionId, type SessionRecord, TmpmError, withEffect } from "@tmpm/core";
import type { CopyFolder } from "./durable/copy-folder.js";
import { makeFolder, makeFolders } from "./durable/durable-folder.js";
import { statOf } from "./durable/file-identity.js";
import { readBounded } from "./durable/read-bounded.js";
import { type PreparedFile, prepareDurably, type WriteCalls } from "./durable/write-durably.js";
import type { ItemCodec, SessionItemOf } from "./session-item.js";
import { requireHealth, type Update } from "./sessions/directory-operations.js";
import { nextRecord, notFound, refuseEntry, taken } from "./sessions/record-rules.js";
import { withoutSession, withSession } from "./sessions-text.js";
import { settleOverwrites } from "./settle-overwrites.js";
import { MAX_FILE_BYTES, type SingleFileReader } from "./single-file-reader.js";
import { changedFields } from "./written-copy.js";

/** The state that a write works on. The caller of every operation holds the file's lock. */
export interface FileWriting {
  readonly path: string;
  readonly reader: SingleFileReader;
  readonly codec: ItemCodec;
  readonly copies: CopyFolder;
  readonly calls: WriteCalls;
}

/** How often a write restarts because a program without our lock rewrote the file meanwhile. */
const ATTEMPTS = 5;

export function createInFile(writing: FileWriting, record: SessionRecord): Promise<SessionRecord> {
  const value = writing.codec.encode({ ...record, rev: 1 }, { before: null, archived: false });
  return retrying(writing, async () => {
    if (writing.reader.catalog.byId(record.id).length > 0) throw taken(record.id);
    return putEntry(writing, { id: record.id, key: record.id, value, changed: [] });
  });
}

export function updateInFile(writing: FileWriting, { id, change }: Update): Promise<SessionRecord> {
  return retrying(writing, async () => {
    const before = requireItem(writing.reader, id);
    const { record } = before.entry;
    const changed = change(record);
    if (changed === record) return record;
    return replaceEntry(writing, { before, next: { ...record, ...nextRecord(record, changed) }, archived: before.archived });
  });
}

export function moveInFile(
  writing: FileWriting,
  { id, project_id }: { readonly id: SessionId; readonly project_id: string },
): Promise<SessionRecord> {
  return retrying(writing, async () => {
    const before = requireItem(writing.reader, id);
    const { record } = before.entry;
    if (record.project_id === project_id) return record;
    return replaceEntry(writing, { before, next: { ...record, project_id: parseSlug(project_id, "project") }, archived: before.archived });
  });
}

export async function archiveInFile(
  writing: FileWriting,
  { id, archived }: { readonly id: SessionId; readonly archived: boolean },
): Promise<void> {
  await retrying(writing, async () => {
    const before = requireItem(writing.reader, id);
    if (before.archived === archived) return before.entry.record;
    return replaceEntry(writing, { before, next: before.entry.record, archived });
  });
}

/** The copy goes first: one without its record looks like a record that another program removed. */
export async function deleteInFile(writing: FileWriting, id: SessionId): Promise<void> {
  await retrying(writing, async () => {
    const item = findItem(writing.reader, id);
    if (item === null) return true;
    await writing.copies.remove(id);
    const done = await replaceFile(writing, withoutSession(writing.reader.content().sessions, item.key));
    writing.reader.tryReload();
    return done ? true : null;
  });
}

/** The folders of the file and of the copies; a file that existed and is gone is never created again. */
export async function requireFolders({ path, reader, copies, calls }: FileWriting): Promise<void> {
  reader.reload();
  requireHealth(reader);
  await makeFolders(dirname(path), calls);
  await makeFolder(copies.path, calls);
}

/** Runs `step` on the current file, and repeats it while it returns null because another process rewrote the file. */
async function retrying<T>(writing: FileWriting, step: () => Promise<T | null>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    writing.reader.reload();
    requireHealth(writing.reader);
    await settleOverwrites(writing);
    const result = await step();
    if (result !== null) return result;
  }
  throw new TmpmError("REV_CONFLICT", `another program keeps rewriting ${writing.path}`, { details: { path: writing.path } });
}

interface Replacement {
  readonly before: SessionItemOf;
  readonly next: SessionRecord;
  readonly archived: boolean;
}

/** While no other process writes the record, our changed fields accumulate. */
function replaceEntry(writing: FileWriting, { before, next, archived }: Replacement): Promise<SessionRecord | null> {
  const value = writing.codec.encode(next, { before, archived });
  const copy = writing.copies.read(before.id);
  const earlier = copy !== null && copy.text === before.text ? copy.changed : [];
  const changed = [...new Set([...earlier, ...changedFields(JSON.parse(before.text), JSON.parse(value))])];
  return putEntry(writing, { id: before.id, key: before.key, value, changed });
}

interface Put {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly changed: readonly string[];
}

/**
 * Null when the file was rewritten meanwhile. Both are written at once, and the file is put into its place before the copy: a copy of unwritten data
 * would report a false overwrite.
 */
async function putEntry(writing: FileWriting, { id, key, value, changed }: Put): Promise<SessionRecord | null> {
  const { reader, codec, copies } = writing;
  const { entry } = codec.decode({ key, text: value, copy: null });
  if (entry.kind !== "session") throw refuseEntry(entry);
  const text = withSession(reader.content().sessions, { key, value });
  if (!(await replaceWithCopy(writing, { text, copy: () => copies.prepare(id, { changed, text: value }) }))) return null;
  reader.tryReload();
  if (reader.content().sessions.text !== text) reader.forget();
  return entry.record;
}

/** False when the file is no longer the loaded one: then the copy is discarded. */
async function replaceWithCopy(
  writing: FileWriting,
  { text, copy }: { readonly text: string; readonly copy: () => Promise<PreparedFile> },
): Promise<boolean> {
  const stillLoaded = isLoaded(writing);
  const [file, beside] = await bothOrNeither([prepareFile(writing, text), copy()]);
  try {
    if (!(await file.put(stillLoaded))) return false;
    await putCopy(beside);
    return true;
  } finally {
    beside.discard();
  }
}

/** @throws with effect unknown, because the file is in its place */
async function putCopy(copy: PreparedFile): Promise<void> {
  try {
    await copy.put();
  } catch (error) {
    throw withEffect(error, "unknown");
  }
}

/** @throws the first failure, after the other file was discarded */
async function bothOrNeither(preparing: readonly [Promise<PreparedFile>, Promise<PreparedFile>]): Promise<[PreparedFile, PreparedFile]> {
  const [one, other] = await Promise.allSettled(preparing);
  if (one.status === "fulfilled" && other.status === "fulfilled") return [one.value, other.value];
  for (const made of [one, other]) if (made.status === "fulfilled") made.value.discard();
  const [reason] = [one, other].flatMap((made) => (made.status === "rejected" ? [made.reason] : []));
  throw reason;
}

/** False when the file is no longer the loaded one. */
async function replaceFile(writing: FileWriting, text: string): Promise<boolean> {
  const stillLoaded = isLoaded(writing);
  const file = await prepareFile(writing, text);
  return file.put(stillLoaded);
}

async function prepareFile({ path, calls }: FileWriting, text: string): Promise<PreparedFile> {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) {
    throw new TmpmError("STORAGE_FULL", `the sessions file would be larger than ${MAX_FILE_BYTES} bytes`, { details: { path } });
  }
  return prepareDurably(path, { calls, text });
}

/** Compares with the file that is loaded now: it is called in the turn that makes the new text, as every read of the store may load another one. */
function isLoaded({ path, reader }: FileWriting): () => boolean {
  const { exists, sessions } = reader.content();
  return () => (exists ? holds(path, sessions.text) : statOf(path) === null);
}

function holds(path: string, text: string): boolean {
  const content = readBounded(path, { maxBytes: MAX_FILE_BYTES });
  return content.kind === "text" && content.text === text;
}

function requireItem(reader: SingleFileReader, id: SessionId): SessionItemOf {
  const item = findItem(reader, id);
  if (item === null) throw notFound(id);
  return item;
}

/** @throws RECORD_DAMAGED, RECORD_UNSUPPORTED for an entry that cannot be written */
function findItem(reader: SingleFileReader, id: SessionId): SessionItemOf | null {
  const [item] = reader.catalog.byId(id);
  if (item === undefined) return null;
  if (item.entry.kind !== "session") throw refuseEntry(item.entry);
  return { ...item, entry: item.entry };
}
