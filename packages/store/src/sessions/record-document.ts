import { isCanonicalRecord, SCHEMA_VERSION, SessionRecord, TmpmError } from "@tmpm/core";
import { parse, stringify } from "lossless-json";
import { type Fields, isFields, mergeDocument } from "./merge-document.js";

/** A parsed document, before it has a place. */
export type Decoded =
  | { readonly kind: "session"; readonly record: SessionRecord }
  | { readonly kind: "unsupported"; readonly reason: string; readonly document: unknown }
  | { readonly kind: "damaged"; readonly reason: string };

/** The required place in a document. */
export interface Place {
  readonly id: string;
  readonly project_id: string;
}

/** No record of ours nests deeper; recursion over a deeper one would exhaust the stack. */
export const MAX_DEPTH = 100;

/** Reads a document. Records and documents are deeply frozen, so that no caller can change the store's data. */
export function decodeDocument(text: string, place: Place): Decoded {
  const document = parsePlain(text);
  if (!isFields(document)) return damaged(document === undefined ? "not a JSON document" : "not a JSON object");
  if (!freezeDeep(document, MAX_DEPTH)) return damaged(`nested deeper than ${MAX_DEPTH} levels`);
  if (isCanonicalRecord(document)) return placed(document, place);
  const version = document.schema_version;
  if (typeof version === "number" && version > SCHEMA_VERSION) return unsupported(document, `written with schema version ${version}`);
  const parsed = SessionRecord.safeParse(document);
  if (!parsed.success) return decodeIssues(document, parsed.error.issues);
  const record = parsed.data;
  freezeMade(record);
  return placed(record, place);
}

/** The key of a document that is moving to another project: its target; not part of the record. */
const MOVING = "moving_to";

/** A moving document belongs to the project of its folder. */
function placed(found: SessionRecord, place: Place): Decoded {
  const record = MOVING in found ? withoutMove(found, place) : found;
  if (record.id !== place.id) return damaged(`its id ${record.id} differs from the file's`);
  if (record.project_id !== place.project_id) return damaged(`its project ${record.project_id} differs from the folder's`);
  return { kind: "session", record };
}

function withoutMove(found: SessionRecord, { project_id }: Place): SessionRecord {
  const { [MOVING]: to, ...record } = found;
  return Object.freeze(to === project_id ? { ...record, project_id } : record);
}

/** The texts before and after a move to another project: both contain the same record, each in its place. @throws RECORD_DAMAGED */
export function movingText(text: string, { id, to }: { readonly id: string; readonly to: string }): string {
  return textOf({ ...parseLossless(text, id), [MOVING]: to });
}

/** The text without traces of a move, for its place. @throws RECORD_DAMAGED */
export function settledText(text: string, { id, project_id }: Place): string {
  if (!text.includes(`"${MOVING}"`)) return text;
  const { [MOVING]: _to, ...document } = parseLossless(text, id);
  return textOf({ ...document, project_id });
}

/** The text of a new record. */
export function encodeRecord(record: SessionRecord): string {
  return textOf({ ...record });
}

/** The text of a changed record; unchanged fields and number texts are those of `text`. @throws RECORD_DAMAGED */
export function encodeChange(text: string, { current, next }: { readonly current: SessionRecord; readonly next: SessionRecord }): string {
  return textOf(mergeDocument(exactDocument(text, current), { current, next }));
}

/** A text equal to its record's lost nothing: no digit of a number, and no duplicate key. */
function exactDocument(text: string, record: SessionRecord): Fields {
  return `${JSON.stringify(record, undefined, 2)}\n` === text ? record : parseLossless(text, record.id);
}

function textOf(document: Fields): string {
  return `${jsonOf(document)}\n`;
}

/** Two-space JSON of a document whose numbers may have kept their text. */
export function jsonOf(document: Fields): string {
  return (isPlain(document) ? JSON.stringify(document, undefined, 2) : stringify(document, undefined, 2)) ?? "null";
}

/** Whether JSON's own writer gives the same result as the several times slower lossless one. */
function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value) || isFields(value)) return Object.values(value).every(isPlain);
  return value === null || typeof value === "string" || typeof value === "boolean";
}

/** Undefined for invalid JSON; JSON itself has no undefined. */
function parsePlain(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A document whose numbers keep their text. @throws RECORD_DAMAGED */
export function parseLossless(text: string, id: string): Fields {
  try {
    const document = parse(text);
    if (isFields(document)) return document;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new TmpmError("RECORD_DAMAGED", `the record of ${id} cannot be changed without data loss: ${error.message}`, {
      details: { id },
      cause: error,
    });
  }
  throw new TmpmError("RECORD_DAMAGED", `the record of ${id} is not a JSON object`, { details: { id } });
}

interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** An unknown enumeration value comes from a newer version; any other error is damage. */
function decodeIssues(document: Fields, issues: readonly Issue[]): Decoded {
  const [first] = issues;
  const reason = first === undefined ? "not a record" : `${first.path.map(String).join(".")}: ${first.message}`;
  return issues.every((issue) => isUnknownWord(document, issue)) ? unsupported(document, reason) : damaged(reason);
}

function isUnknownWord(document: Fields, issue: Issue): boolean {
  if (issue.code !== "invalid_value" || issue.path[0] === "schema_version") return false;
  return typeof valueAt(document, issue.path) === "string";
}

function valueAt(document: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (isFields(value) && typeof key === "string" ? value[key] : undefined), document);
}

function damaged(reason: string): Decoded {
  return { kind: "damaged", reason };
}

function unsupported(document: unknown, reason: string): Decoded {
  return { kind: "unsupported", reason, document };
}

/** False when something is nested deeper than `depth` levels. */
export function freezeDeep(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  Object.freeze(value);
  for (const member of Object.values(value)) {
    if (typeof member === "object" && member !== null && !freezeDeep(member, depth - 1)) return false;
  }
  return true;
}

/** Freezes a value derived from a deeply frozen document: its frozen parts come from there, with everything below. */
export function freezeMade(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeMade(member);
}
