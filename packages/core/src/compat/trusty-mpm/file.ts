import { normalizeUuid } from "../../id/uuid.js";
import { type Fields, isFields, without } from "../fields.js";
import { invalidField } from "../reading.js";
import type { Document, FileEntry, TrustyMpmOptions } from "../trusty-mpm.js";
import { decodeRecord } from "./record.js";

export function decodeFile(document: unknown, options: TrustyMpmOptions): readonly FileEntry[] {
  const seen = new Set<string>();
  return Object.entries(parseFile(document).sessions).map(([key, entry]) => {
    const id = normalizeUuid(key) ?? key;
    if (seen.has(id)) return { kind: "damaged", id, error: invalidField("id", "another entry has this id"), document: entry };
    seen.add(id);
    return decodeEntry(entry, { id, options });
  });
}

/** `document` is the record's, encoded. */
export function withRecord(file: unknown, record: { readonly id: string; readonly document: Document }): Document {
  const parsed = parseFile(file);
  const key = keyOf(parsed.sessions, record.id) ?? record.id;
  return { ...parsed, sessions: { ...parsed.sessions, [key]: record.document } };
}

export function withoutRecord(file: unknown, id: string): Document {
  const parsed = parseFile(file);
  const key = keyOf(parsed.sessions, id);
  return key === undefined ? parsed : { ...parsed, sessions: without(parsed.sessions, [key]) };
}

function parseFile(file: unknown): { readonly sessions: Fields } {
  if (isFields(file) && isFields(file.sessions)) return { ...file, sessions: file.sessions };
  throw invalidField("sessions", "expected an object with one record per id");
}

function decodeEntry(document: unknown, { id, options }: { readonly id: string; readonly options: TrustyMpmOptions }): FileEntry {
  const reading = decodeRecord(document, options);
  if (!reading.ok) return { kind: reading.kind, id, error: reading.error, document };
  if (reading.value.id === id) return { kind: "session", id, record: reading.value };
  return { kind: "damaged", id, error: invalidField("id", `the entry of ${id} holds the record of ${reading.value.id}`), document };
}

/** The key under which the file holds a session; serde reads every form of a UUID. */
function keyOf(sessions: Fields, id: string): string | undefined {
  return Object.keys(sessions).find((key) => normalizeUuid(key) === id);
}
