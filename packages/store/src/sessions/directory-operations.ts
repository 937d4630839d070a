import { basename, dirname, join } from "node:path";
import { parseSlug, type SessionId, type SessionRecord, TmpmError } from "@tmpm/core";
import { makeFolder, moveDurably, removeDurably } from "../durable/durable-folder.js";
import { statOf } from "../durable/file-identity.js";
import { readStated } from "../durable/read-bounded.js";
import { type Failure, reportingFailure } from "../durable/store-failure.js";
import { type WriteCalls, writeDurably } from "../durable/write-durably.js";
import type { Entry } from "../store.js";
import type { DirectoryReader } from "./directory-reader.js";
import { encodeChange, encodeRecord, movingText, settledText } from "./record-document.js";
import { entryOf, type FilePlace, RECORD_SUFFIX, type RecordFile } from "./record-file.js";
import { nextRecord, notFound, refuseEntry, storableRecord, taken } from "./record-rules.js";
import { ARCHIVE } from "./scan.js";

/** The state that a write works on. The caller of every operation holds the record's lock. */
export interface Writing {
  readonly base: string;
  readonly reader: DirectoryReader;
  readonly calls: WriteCalls;
}

type SessionFile = RecordFile & { readonly entry: Extract<Entry, { readonly kind: "session" }> };

/** How often an update restarts because a program without our lock rewrote the record meanwhile. */
const ATTEMPTS = 5;

export async function createRecord({ base, reader, calls }: Writing, record: SessionRecord): Promise<SessionRecord> {
  const text = encodeRecord({ ...record, rev: 1 });
  const stored = storableRecord(text, record);
  const { id, project_id } = stored;
  const before = reader.current(id);
  requireHealth(reader);
  if (before !== null) throw taken(id);
  const folder = join(base, project_id);
  const path = join(folder, `${id}${RECORD_SUFFIX}`);
  await makeFolder(folder, calls);
  await writeDurably(path, { calls, text });
  reader.wrote({ puts: [writtenFile({ id, project_id, path, archived: false }, { record: stored, text })], drops: [] });
  return stored;
}

export interface Update {
  readonly id: SessionId;
  readonly change: (current: SessionRecord) => SessionRecord;
}

export async function updateRecord({ reader, calls }: Writing, { id, change }: Update): Promise<SessionRecord> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const file = requireSession(reader, id);
    const before = readCurrent(file);
    if (before === null) continue;
    const changed = change(before.record);
    if (changed === before.record) return before.record;
    const text = encodeChange(settledText(before.text, file), { current: before.record, next: nextRecord(before.record, changed) });
    const stored = storableRecord(text, file);
    if (!(await writeDurably(file.path, { calls, text, stillWanted: () => textAt(file.path) === before.text }))) continue;
    reader.wrote({ puts: [writtenFile(file, { record: stored, text })], drops: [] });
    return stored;
  }
  throw rewritten(id);
}

function rewritten(id: SessionId): TmpmError {
  return new TmpmError("REV_CONFLICT", `another program keeps rewriting the record of ${id}`, { details: { id } });
}

export interface ToProject {
  readonly id: SessionId;
  readonly project_id: string;
}

/**
 * Three steps, of which only the second is visible: the document names its target, the file is renamed, the document names its place. An
 * interruption at any step leaves exactly one record, in one of the two projects.
 */
export async function moveToProject(writing: Writing, { id, project_id }: ToProject): Promise<SessionRecord> {
  const project = parseSlug(project_id, "project");
  const file = requireSession(writing.reader, id);
  if (file.project_id === project) return file.entry.record;
  const folder = join(writing.base, project);
  await makeFolder(folder, writing.calls);
  if (file.archived) await makeFolder(join(folder, ARCHIVE), writing.calls);
  const to = file.archived ? join(folder, ARCHIVE, basename(file.path)) : join(folder, basename(file.path));
  requireFree(id, to);
  const text = await announceMove(writing, { file, to: project });
  await moveDurably(file.path, { to, calls: writing.calls });
  const place = { id, project_id: project, path: to, archived: file.archived };
  const moved = writtenFile(place, { record: storableRecord(text, place), text });
  writing.reader.wrote({ puts: [moved], drops: [file.path] });
  return settleMove(writing, { place, text });
}

/** The record is already in its place, and the next write updates its document. */
async function settleMove(
  { calls, reader }: Writing,
  { place, text }: { readonly place: FilePlace; readonly text: string },
): Promise<SessionRecord> {
  const settled = settledText(text, place);
  const record = storableRecord(settled, place);
  if (await writeDurably(place.path, { calls, text: settled, stillWanted: () => textAt(place.path) === text }))
    reader.wrote({ puts: [writtenFile(place, { record, text: settled })], drops: [] });
  return record;
}

/** Returns the resulting text of the file. */
async function announceMove(
  { calls, reader }: Writing,
  { file, to }: { readonly file: SessionFile; readonly to: string },
): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = readCurrent(requireSession(reader, file.id));
    if (before === null) continue;
    const text = movingText(before.text, { id: file.id, to });
    if (await writeDurably(file.path, { calls, text, stillWanted: () => textAt(file.path) === before.text })) return text;
  }
  throw rewritten(file.id);
}

export async function archiveRecord(writing: Writing, id: SessionId): Promise<void> {
  const file = requireSession(writing.reader, id);
  if (file.archived) return;
  const to = join(dirname(file.path), ARCHIVE, basename(file.path));
  await makeFolder(dirname(to), writing.calls);
  await moveRecord(writing, { file, to, archived: true });
}

export async function unarchiveRecord(writing: Writing, id: SessionId): Promise<void> {
  const file = requireSession(writing.reader, id);
  if (!file.archived) return;
  await moveRecord(writing, { file, to: join(dirname(dirname(file.path)), basename(file.path)), archived: false });
}

/** A user may have put a copy of the record back into the archive. */
export async function deleteRecord({ reader, calls }: Writing, id: SessionId): Promise<void> {
  if (findSession(reader, id) === null) return;
  for (const file of reader.catalog.byId(id).filter(({ entry }) => entry.kind === "session")) {
    await removeDurably(file.path, calls);
    reader.wrote({ puts: [], drops: [file.path] });
  }
}

interface Move {
  readonly file: SessionFile;
  readonly to: string;
  readonly archived: boolean;
}

async function moveRecord({ reader, calls }: Writing, { file, to, archived }: Move): Promise<void> {
  requireFree(file.id, to);
  await moveDurably(file.path, { to, calls });
  const moved = { ...file, path: to, archived, entry: { ...file.entry, archived }, identity: null };
  reader.wrote({ puts: [moved], drops: [file.path] });
}

function requireFree(id: SessionId, path: string): void {
  if (exists(path)) throw refuseEntry({ kind: "damaged", id, reason: `there is another record at ${path}` });
}

/** @throws STORE_DEGRADED unless the reader is up to date */
export function requireHealth(reader: Pick<DirectoryReader, "reload" | "health">): void {
  if (reader.health().state === "degraded") reader.reload();
  const health = reader.health();
  if (health.state === "degraded") throw health.error;
}

function requireSession(reader: DirectoryReader, id: SessionId): SessionFile {
  const file = findSession(reader, id);
  if (file === null) throw notFound(id);
  return file;
}

/** @throws RECORD_DAMAGED, RECORD_UNSUPPORTED for an entry that cannot be written */
function findSession(reader: DirectoryReader, id: SessionId): SessionFile | null {
  const file = reader.current(id);
  requireHealth(reader);
  if (file === null) return null;
  if (file.entry.kind !== "session") throw refuseEntry(file.entry);
  return { ...file, entry: file.entry };
}

/** The text of a file that was just checked and its record; null when the file was replaced. */
function readCurrent(file: SessionFile): { readonly text: string; readonly record: SessionRecord } | null {
  if (file.racyText !== null) return { text: file.racyText, record: file.entry.record };
  const text = reportingFailure(reading(file.path), () => textAt(file.path));
  if (text === null) return null;
  const entry = entryOf(text, file);
  return entry.kind === "session" ? { text, record: entry.record } : null;
}

function textAt(path: string): string | null {
  const stat = statOf(path);
  const content = stat?.isFile() === true ? readStated(path, stat) : null;
  return content?.kind === "text" ? content.text : null;
}

/** Whether a folder or file exists, or a symbolic link to any target. */
export function exists(path: string): boolean {
  return reportingFailure(reading(path), () => statOf(path)) !== null;
}

function reading(path: string): Failure {
  return { doing: "cannot inspect the record", path };
}

interface Written {
  readonly record: SessionRecord;
  readonly text: string;
}

/** Without an identity: the next look compares the text, and parses only if it differs. */
function writtenFile({ id, project_id, path, archived }: FilePlace, { record, text }: Written): RecordFile {
  return { id, project_id, path, archived, identity: null, racyText: text, entry: { kind: "session", record, archived } };
}
