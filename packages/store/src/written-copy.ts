import { isDeepStrictEqual } from "node:util";
import { parseOrNull } from "./durable/parse-or-null.js";
import { membersOf } from "./json-members.js";
import { type Fields, isFields } from "./sessions/merge-document.js";
import { textOf } from "./sessions-text.js";

/** A record as last written by tmpm. A program that drops unknown fields, or writes stale data, cannot reach this copy. */
export interface WrittenCopy {
  /** The document in the sessions file. */
  readonly text: string;
  readonly document: Fields;
  /** Fields known to trusty-mpm and changed by tmpm since another program last wrote the record. */
  readonly changed: readonly string[];
}

/** The relation of an entry in the sessions file to the copy. */
export type CopyRelation =
  /** Unchanged: written by us, derived from our version, or never written by us. */
  | "plain"
  /** Dropped fields are read from the copy. */
  | "restored"
  /** A change of ours is gone from the file. */
  | "overwritten";

export interface Reading {
  readonly standing: CopyRelation;
  /** The entry, with restored fields. */
  readonly document: Fields;
}

/**
 * Compares an entry with its copy. A program that knows `tmpm` keeps its `rev`, which shows whether it wrote from our last version; for
 * another one the fields decide: one that we changed and that differs now was overwritten, or changed by a program that may not have seen
 * ours.
 */
export function readBeside(document: Fields, copy: WrittenCopy | null): Reading {
  if (copy === null) return { standing: "plain", document };
  if (isFields(document.tmpm)) {
    return { standing: revOf(document) < revOf(copy.document) ? "overwritten" : "plain", document };
  }
  const overwritten = copy.changed.some((key) => Object.hasOwn(document, key) && !isDeepStrictEqual(document[key], copy.document[key]));
  return { standing: overwritten ? "overwritten" : "restored", document: restored(document, copy.document) };
}

/** The document with the members that it lacks from the copy. */
export function restored(document: Fields, copy: Fields): Fields {
  return { ...document, ...Object.fromEntries(Object.entries(copy).filter(([key]) => !Object.hasOwn(document, key))) };
}

/** The differing fields known to trusty-mpm. */
export function changedFields(before: Fields, after: Fields): readonly string[] {
  return Object.keys(after).filter((key) => key !== "tmpm" && !isDeepStrictEqual(before[key], after[key]));
}

export function encodeCopy({ changed, text }: Pick<WrittenCopy, "changed" | "text">): string {
  return `{"changed": ${JSON.stringify(changed)}, "document": ${text}}\n`;
}

/** Null for a text that is not a copy: it protects nothing. */
export function decodeCopy(text: string): WrittenCopy | null {
  const value = parseOrNull(text);
  if (!isFields(value) || !isFields(value.document) || !Array.isArray(value.changed)) return null;
  const member = membersOf(text).members.findLast(({ key }) => key === "document");
  if (member === undefined) return null;
  return { text: textOf(text, member), document: value.document, changed: value.changed.filter((key) => typeof key === "string") };
}

function revOf({ tmpm }: Fields): number {
  return isFields(tmpm) && typeof tmpm.rev === "number" ? tmpm.rev : 0;
}
