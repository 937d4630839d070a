import type { TmpmError } from "../errors.js";
import type { SessionRecord } from "../session/record.js";
import type { Session } from "../session/session.js";
import type { Timestamp } from "../time/timestamp.js";
import type { Document } from "./document.js";
import { orThrow } from "./reading.js";
import { decodeFile, withoutRecord, withRecord } from "./trusty-mpm/file.js";
import { decodeRecord, encodeRecord } from "./trusty-mpm/record.js";
import { decodeRegistry, registrySessions } from "./trusty-mpm/registry.js";
import { decodeSession, encodeSession } from "./trusty-mpm/session.js";

export type { Document } from "./document.js";

export interface TrustyMpmOptions {
  readonly now: () => Timestamp;
  /** The oldest release that must be able to read the output; only later ones than 0.8.0 know the state `deleted`. Default `0.8.0`. */
  readonly release?: "0.8.0" | "later";
  /**
   * The socket of trusty-mpm's tmux server, on which its pane ids are valid. Without it, pane ids are kept, and no pane of ours is written.
   */
  readonly socket?: string;
}

/** One entry of the file; `document` is the unchanged input. */
export type FileEntry =
  | { readonly kind: "session"; readonly id: string; readonly record: SessionRecord }
  /** Well-formed, with a value that this version does not know. */
  | { readonly kind: "unsupported"; readonly id: string; readonly error: TmpmError; readonly document: unknown }
  | { readonly kind: "damaged"; readonly id: string; readonly error: TmpmError; readonly document: unknown };

/** Reads and writes documents of trusty-mpm as plain objects. Every failure is INVALID_ARGUMENT with the field's path in `details.field`. */
export interface TrustyMpm {
  /** A session of the core registry (trusty-mpm 1.1): times as `SystemTime` objects, enums case-sensitive; missing times are now. */
  decodeSession(document: unknown): Session;
  /** @throws INVALID_ARGUMENT for a time before 1970, which `SystemTime` cannot represent */
  encodeSession(session: Session): Document;
  /** A managed session's record (trusty-mpm 1.2). Fields that ours lacks stay on the record under their own names. */
  decodeRecord(document: unknown): SessionRecord;
  /**
   * The record with their fields first, in their order; fields that theirs lacks are under `tmpm`, which they ignore.
   * @throws INVALID_ARGUMENT for the state `deleted` (unless `release` is `later`) and for an agent other than `claude` and `tcode`: an
   * unreadable value would hide the whole file from them
   */
  encodeRecord(record: SessionRecord): Document;
  /**
   * The core registry's response to `GET /sessions`, as records; null for a document that is not `{"sessions": […]}`. A malformed one hides
   * no other.
   */
  decodeRegistry(document: unknown): readonly FileEntry[] | null;
  /**
   * The entries of `sessions.json`, in the file's order. A malformed one hides no other. @throws INVALID_ARGUMENT unless it is
   * `{"sessions": {…}}`
   */
  decodeFile(document: unknown): readonly FileEntry[];
  /** The file with this record added or replaced; all other objects are those of `document`. */
  withRecord(document: unknown, record: SessionRecord): Document;
  withoutRecord(document: unknown, id: string): Document;
}

/** The codec for trusty-mpm's documents. Numbers are JSON numbers; callers parse and print the text. */
export function trustyMpm(options: TrustyMpmOptions): TrustyMpm {
  return {
    decodeSession: (document) => decodeSession(document, options.now),
    encodeSession,
    decodeRecord: (document) => orThrow(decodeRecord(document, options)),
    encodeRecord: (record) => encodeRecord(record, options),
    decodeRegistry(document) {
      const sessions = registrySessions(document);
      return sessions === null ? null : decodeRegistry(sessions, options);
    },
    decodeFile: (document) => decodeFile(document, options),
    withRecord: (document, record) => withRecord(document, { id: record.id, document: encodeRecord(record, options) }),
    withoutRecord,
  };
}
