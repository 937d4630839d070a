import type { SessionRecord } from "../session/record.js";
import { decodeRecord, encodeRecord } from "./ao/record.js";
import { type AoSession, decodeSession, encodeSession } from "./ao/session.js";
import type { Document } from "./document.js";
import { invalidField, orThrow } from "./reading.js";

/** ao-rs uses these in paths unchecked, so only plain names are written. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

interface Named {
  readonly id?: unknown;
  readonly project_id?: unknown;
}

function fileOf({ id, project_id }: Named, { archived }: { readonly archived: boolean }): string {
  return `sessions/${plainName("project_id", project_id)}/${archived ? ".archive/" : ""}${plainName("id", id)}.yaml`;
}

function plainName(field: string, value: unknown): string {
  if (typeof value === "string" && PLAIN_NAME.test(value)) return value;
  throw invalidField(field, `${JSON.stringify(value)} cannot be the name of a file`);
}

export { permissionsFromAo, permissionsToAo } from "./ao/permissions.js";
export { type AoActivity, type AoSession, type AoStatus, aoIsRestorable, aoIsTerminal } from "./ao/session.js";
export type { Document } from "./document.js";

/**
 * The path of a session's document below the data folder (ao-rs 1.10). @throws INVALID_ARGUMENT unless id and project are valid file names
 */
export function aoFile(document: Document, place: { readonly archived: boolean }): string {
  return fileOf(document, place);
}

export interface AoOptions {
  /** The session id for a foreign id that is not a UUID, given as `<project id>/<id>`; deterministic. */
  readonly idOf: (foreignId: string) => string;
}

/** Reads and writes documents of ao-rs as plain objects. Every failure is INVALID_ARGUMENT with the field's path in `details.field`. */
export interface Ao {
  /** A session (ao-rs 1.1) with its defaults; unknown keys are kept. Integers beyond 2^53 are read from bigints and from decimal or `0x` text. */
  decodeSession(document: unknown): AoSession;
  /** The keys that serde writes, in its order, then the unknown ones. An integer that no number holds is written as a bigint. */
  encodeSession(session: AoSession): Document;
  /**
   * The session as a record of ours. Fields that ours lacks stay on it under `ao`. A live one is `active`, or `provisioning` while it is
   * spawned.
   */
  decodeRecord(document: unknown): SessionRecord;
  /**
   * The record as an ao-rs session; fields that theirs lacks are under `tmpm`, which they ignore. They get no terminal of ours and, since
   * they remove workspaces by force, only directories that are workspaces. A session that tmpm has launched since is `killed`, so that
   * ao-rs can restore it.
   * @throws INVALID_ARGUMENT for an agent other than `claude`, `codex`, `cursor` and `aider`, and for a time before 1970
   */
  encodeRecord(record: SessionRecord): Document;
}

/** The codec for ao-rs's documents. Callers parse and print the text. */
export function ao({ idOf }: AoOptions): Ao {
  return {
    decodeSession: (document) => orThrow(decodeSession(document)),
    encodeSession,
    decodeRecord: (document) => orThrow(decodeRecord(document, idOf)),
    encodeRecord,
  };
}
