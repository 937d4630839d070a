import { type SessionRecord, TmpmError } from "@tmpm/core";
import type { Decoded } from "./record-document.js";

/** The record that a change leads to: the store sets `rev` and nothing else. @throws INVALID_ARGUMENT when the change moves the record */
export function nextRecord(current: SessionRecord, changed: SessionRecord): SessionRecord {
  for (const field of ["id", "project_id"] as const) {
    if (changed[field] !== current[field]) throw invalid(current.id, `${field}: an update cannot change it`);
  }
  return { ...changed, rev: current.rev + 1 };
}

/** The record as it reads back from what is written. @throws INVALID_ARGUMENT when it would not */
export function writableRecord(decoded: Decoded, id: string): SessionRecord {
  if (decoded.kind === "session") return decoded.record;
  throw invalid(id, decoded.reason);
}

/** Why an entry that is no record of this version cannot be written. */
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
  return new TmpmError("NAME_TAKEN", `session ${id} exists already`, { details: { id } });
}

export function closed(): TmpmError {
  return new TmpmError("SHUTTING_DOWN", "the store is closed");
}

export function tooLarge(id: string): TmpmError {
  return invalid(id, "it is larger than a record may be");
}

function invalid(id: string, reason: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `the record of ${id} cannot be stored: ${reason}`, { details: { id, reason } });
}
