import { type SessionRecord, TmpmError } from "@tmpm/core";
import { MAX_DOCUMENT_BYTES } from "../durable/read-bounded.js";
import { decodeDocument, type Place } from "./record-document.js";

/** The resulting record of a change: the store sets only `rev`. @throws INVALID_ARGUMENT when the change moves the record */
export function nextRecord(current: SessionRecord, changed: SessionRecord): SessionRecord {
  for (const field of ["id", "project_id"] as const) {
    if (changed[field] !== current[field]) throw invalid(current.id, `${field}: an update cannot change it`);
  }
  return { ...changed, rev: current.rev + 1 };
}

/** The record as read back from a text to be written. @throws INVALID_ARGUMENT when it would not read back */
export function storableRecord(text: string, place: Place): SessionRecord {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) throw invalid(place.id, `it is larger than ${MAX_DOCUMENT_BYTES} bytes`);
  const decoded = decodeDocument(text, place);
  if (decoded.kind !== "session") throw invalid(place.id, decoded.reason);
  return decoded.record;
}

/** Why an entry that is not a record of this version cannot be written. */
export function refuseEntry(entry: { readonly kind: "unsupported" | "damaged"; readonly id: string; readonly reason: string }): TmpmError {
  const { kind, id, reason } = entry;
  return kind === "damaged"
    ? new TmpmError("RECORD_DAMAGED", `the record of ${id} cannot be read: ${reason}`, { details: { id, reason } })
    : new TmpmError("RECORD_UNSUPPORTED", `the record of ${id} belongs to a newer tmpm: ${reason}`, { details: { id, reason } });
}

export function notFound(id: string): TmpmError {
  return new TmpmError("SESSION_NOT_FOUND", `no session ${id}`, { details: { id } });
}

export function taken(id: string): TmpmError {
  return new TmpmError("NAME_TAKEN", `session ${id} already exists`, { details: { id } });
}

export function closed(): TmpmError {
  return new TmpmError("SHUTTING_DOWN", "the store is closed");
}

export function invalid(id: string, reason: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `the record of ${id} cannot be stored: ${reason}`, { details: { id, reason } });
}
