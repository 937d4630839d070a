import type { TmpmError } from "../errors.js";
import type { SessionRecord } from "../record.js";
import type { Session } from "../session.js";
import type { Timestamp } from "../timestamp.js";
import type { Document } from "./document.js";
import { orThrow } from "./reading.js";
import { decodeFile, withoutRecord, withRecord } from "./trusty-mpm/file.js";
import { decodeRecord, encodeRecord } from "./trusty-mpm/record.js";
import { decodeRegistry, registrySessions } from "./trusty-mpm/registry.js";
import { decodeSession, encodeSession } from "./trusty-mpm/session.js";

export type { Document } from "./document.js";

export interface TrustyMpmOptions {
  readonly now: () => Timestamp;
  /** The oldest release that has to read what is written; only later ones than 0.8.0 know the state `deleted`. Default `0.8.0`. */
  readonly release?: "0.8.0" | "later";
  /** The socket of trusty-mpm's tmux server. Its pane ids mean panes there; without it they are kept, and no pane of ours is written as one of theirs. */
  readonly socket?: string;
}

/** One entry of the file; `document` is what was read, untouched. */
export type FileEntry =
  | { readonly kind: "session"; readonly id: string; readonly record: SessionRecord }
  /** Well-formed, with a value that this version does not know. */
  | { readonly kind: "unsupported"; readonly id: string; readonly error: TmpmError; readonly document: unknown }
  | { readonly kind: "damaged"; readonly id: string; readonly error: TmpmError; readonly document: unknown };

/** Reads and writes documents of trusty-mpm as plain objects. Every failure is INVALID_ARGUMENT with the field's path in `details.field`. */
export interface TrustyMpm {
  /** A session of the core registry (trusty-mpm 1.1): times as `SystemTime` objects, enums in the exact case; absent times are now. */
  decodeSession(document: unknown): Session;
  /** @throws INVALID_ARGUMENT for a time before 1970, which `SystemTime` cannot say */
  encodeSession(session: Session): Document;
  /** A managed session's record (trusty-mpm 1.2). Fields of theirs that we have none for stay on the record under their own names. */
  decodeRecord(document: unknown): SessionRecord;
  /**
   * The record with their fields first, in their order; what they have no field for travels under `tmpm`, which they ignore.
   * @throws INVALID_ARGUMENT for the state `deleted` (unless `release` is `later`) and for an agent other than `claude` and `tcode`: one value that they
   * cannot read would hide the whole file from them
   */
  encodeRecord(record: SessionRecord): Document;
  /** What the core registry answers to `GET /sessions`, as records; null for a document that is not `{"sessions": […]}`. One that cannot be decoded hides no other. */
  decodeRegistry(document: unknown): readonly FileEntry[] | null;
  /** The entries of `sessions.json`, in the file's order. One that cannot be decoded hides no other. @throws INVALID_ARGUMENT when it is no `{"sessions": {…}}` */
  decodeFile(document: unknown): readonly FileEntry[];
  /** The file with this record put in or replaced; everything else stays the same objects as in `document`. */
  withRecord(document: unknown, record: SessionRecord): Document;
  withoutRecord(document: unknown, id: string): Document;
}

/** The codec for trusty-mpm's documents. Numbers are JSON numbers; turning text into objects is the caller's. */
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
