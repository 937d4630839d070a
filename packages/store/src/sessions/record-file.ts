import { type FileIdentity, identityOf, isRacy, isSameFile, statOf } from "../durable/file-identity.js";
import { readStated } from "../durable/read-bounded.js";
import type { Entry } from "../store.js";
import { decodeDocument, type Place } from "./record-document.js";

/** A folder whose `*.json` files are the records of one project, or one such file. */
export interface FolderPlace {
  readonly path: string;
  readonly project_id: string;
  readonly archived: boolean;
}

/** A record's existing or future file. */
export interface FilePlace extends FolderPlace {
  readonly id: string;
}

/** One file of a folder, as last checked. */
export interface RecordFile extends FilePlace {
  readonly entry: Entry;
  /** Null: read the file again, whatever its identity. */
  readonly identity: FileIdentity | null;
  /** The text of `entry`, while a change could be hidden behind the same identity. */
  readonly racyText: string | null;
}

export const RECORD_SUFFIX = ".json";

export interface Look {
  readonly known: RecordFile | undefined;
  /** Wall clock. */
  readonly nowMs: number;
}

/**
 * Checks a file: returns the same object when unchanged, null when missing. Throws when the folder cannot be searched or the machine ran
 * short.
 */
export function lookAt(file: FilePlace, { known, nowMs }: Look): RecordFile | null {
  const { path, id, project_id, archived } = file;
  const stat = statOf(path);
  if (stat === null) return null;
  if (known !== undefined && known.identity !== null && known.racyText === null && isSameFile(stat, known.identity)) return known;
  if (!stat.isFile()) return unreadable(file, { known, reason: stat.isSymbolicLink() ? "a symbolic link" : "not a regular file" });
  const content = readStated(path, stat);
  if (content.kind === "absent") return null;
  if (content.kind === "unreadable") return unreadable(file, { known, reason: content.reason });
  const identity = identityOf(stat);
  const racyText = isRacy(identity, nowMs) ? content.text : null;
  if (known !== undefined && known.racyText === content.text) return { ...known, identity, racyText };
  return { path, id, project_id, archived, identity, racyText, entry: entryOf(content.text, file) };
}

/** The entry of a document at this place. */
export function entryOf(text: string, file: Place & { readonly path: string; readonly archived: boolean }): Entry {
  const { id, project_id, path, archived } = file;
  const decoded = decodeDocument(text, file);
  switch (decoded.kind) {
    case "session":
      return { kind: "session", record: decoded.record, archived };
    case "unsupported":
      return { ...decoded, id, project_id };
    case "damaged":
      return { ...decoded, id, project_id, path };
  }
}

interface Unreadable {
  readonly known: RecordFile | undefined;
  readonly reason: string;
}

/** Without an identity, so that it is retried: a file can become readable without changing. */
function unreadable({ path, id, project_id, archived }: FilePlace, { known, reason }: Unreadable): RecordFile {
  if (known?.entry.kind === "damaged" && known.entry.reason === reason) return known;
  return { path, id, project_id, archived, identity: null, racyText: null, entry: { kind: "damaged", id, project_id, path, reason } };
}
