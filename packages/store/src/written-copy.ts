import { isDeepStrictEqual } from "node:util";
import { membersOf } from "./json-members.js";
import { type Fields, isFields } from "./sessions/merge-document.js";
import { textOf } from "./sessions-text.js";

/** A record as a tmpm process wrote it last. A program that drops what it does not know, or writes from an old memory, cannot reach this one. */
export interface WrittenCopy {
  /** The document as it stood in the sessions file. */
  readonly text: string;
  readonly document: Fields;
  /** Fields that trusty-mpm knows and that tmpm processes changed since another program last wrote the record. */
  readonly changed: readonly string[];
}

/** How an entry of the sessions file stands to the copy. */
export type Standing =
  /** As it is: written by us, derived from what we wrote, or never written by us. */
  | "plain"
  /** What the other program dropped is read from the copy. */
  | "restored"
  /** A change of ours is gone from the file. */
  | "overwritten";

export interface Reading {
  readonly standing: Standing;
  /** What the entry says, with what was restored. */
  readonly document: Fields;
}

/**
 * Reads an entry beside its copy. A program that knows `tmpm` keeps its `rev`, which reports whether it wrote from what we wrote last; one that drops it is
 * judged by the fields: one that we changed and that has another value now was overwritten, or changed by a program that may not have seen ours.
 */
export function readBeside(document: Fields, copy: WrittenCopy | null): Reading {
  if (copy === null) return { standing: "plain", document };
  if (isFields(document.tmpm)) {
    return { standing: revOf(document) < revOf(copy.document) ? "overwritten" : "plain", document };
  }
  const overwritten = copy.changed.some((key) => Object.hasOwn(document, key) && !isDeepStrictEqual(document[key], copy.document[key]));
  return { standing: overwritten ? "overwritten" : "restored", document: restored(document, copy.document) };
}

/** The document with those members of the copy that it lacks. */
export function restored(document: Fields, copy: Fields): Fields {
  return { ...document, ...Object.fromEntries(Object.entries(copy).filter(([key]) => !Object.hasOwn(document, key))) };
}

/** The fields that trusty-mpm knows and that differ. */
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

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function revOf({ tmpm }: Fields): number {
  return isFields(tmpm) && typeof tmpm.rev === "number" ? tmpm.rev : 0;
}
