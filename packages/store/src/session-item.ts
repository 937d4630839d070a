import { DEFAULT_PROJECT, hasCode, normalizeUuid, type SessionRecord, Slug } from "@tmpm/core";
import { type TrustyMpmOptions, trustyMpm } from "@tmpm/core/compat/trusty-mpm";
import { parseOrNull } from "./durable/parse-or-null.js";
import { MAX_DOCUMENT_BYTES } from "./durable/read-bounded.js";
import type { CatalogEntry } from "./sessions/catalog.js";
import { type Fields, isFields, mergeDocument } from "./sessions/merge-document.js";
import { freezeDeep, freezeMade, jsonOf, MAX_DEPTH, parseLossless } from "./sessions/record-document.js";
import { invalid } from "./sessions/record-rules.js";
import { indented } from "./sessions-text.js";
import type { Entry } from "./store.js";
import { type CopyRelation, readBeside, restored, type WrittenCopy } from "./written-copy.js";

/** One entry of a sessions file, as last read. */
export interface SessionItem extends CatalogEntry {
  /** In the file's form. */
  readonly key: string;
  /** Its text in the file. */
  readonly text: string;
  readonly copy: WrittenCopy | null;
  readonly standing: CopyRelation;
}

export type SessionItemOf = SessionItem & { readonly entry: Extract<Entry, { readonly kind: "session" }> };

export interface ItemSource {
  readonly key: string;
  readonly text: string;
  readonly copy: WrittenCopy | null;
}

export interface ItemChange {
  /** The replaced entry; null for a new record. */
  readonly before: SessionItemOf | null;
  readonly archived: boolean;
}

/** Reads and writes the entries of a sessions file in trusty-mpm's form. Fields only of ours, such as `archived`, are under `tmpm`. */
export interface ItemCodec {
  /** @throws SyntaxError for a text that is not JSON */
  decode(source: ItemSource): SessionItem;
  /**
   * The entry's new text in the file. @throws INVALID_ARGUMENT for an entry that trusty-mpm cannot read, or that would not read back;
   * RECORD_DAMAGED
   */
  encode(record: SessionRecord, change: ItemChange): string;
  /** The current entry, with fields restored that another program dropped, as it would be in the file. */
  settled(item: SessionItem): string;
}

export interface ItemCodecOptions extends TrustyMpmOptions {
  /** The sessions file, for damaged entries. */
  readonly path: string;
}

export function itemCodec({ path, ...options }: ItemCodecOptions): ItemCodec {
  const strict = trustyMpm(options);
  /** For an entry already in the file. */
  const lenient = trustyMpm({ ...options, release: "later" });

  function decode({ key, text, copy }: ItemSource): SessionItem {
    const item = { path: key, key, text, copy };
    const tooLarge = Buffer.byteLength(text) > MAX_DOCUMENT_BYTES;
    const parsed: unknown = tooLarge ? null : JSON.parse(text);
    const fault = tooLarge ? `larger than ${MAX_DOCUMENT_BYTES} bytes` : faultOf(parsed);
    if (fault !== null || !isFields(parsed)) {
      const id = normalizeUuid(key) ?? key;
      const entry = { kind: "damaged", id, project_id: projectOf(null), path, reason: fault ?? "not a JSON object" } as const;
      return { ...item, id, archived: false, standing: copy === null ? "plain" : "overwritten", entry };
    }
    const { standing, document } = readBeside(parsed, copy);
    const { id, archived, entry } = entryOf(document, key);
    return { ...item, id, archived, standing, entry };
  }

  function entryOf(document: Fields, key: string): { readonly id: string; readonly archived: boolean; readonly entry: Entry } {
    const { archived, bare } = withoutArchived(document);
    const [decoded] = lenient.decodeFile({ sessions: { [key]: bare } });
    if (decoded === undefined) throw new TypeError("a file with one entry has one");
    const { id } = decoded;
    if (decoded.kind === "session") {
      freezeMade(decoded.record);
      return { id, archived, entry: { kind: "session", record: decoded.record, archived } };
    }
    const fields = { id, project_id: projectOf(document.tmpm), reason: decoded.error.message };
    if (decoded.kind === "damaged") return { id, archived, entry: { kind: "damaged", ...fields, path } };
    return { id, archived, entry: { kind: "unsupported", ...fields, document } };
  }

  function encode(record: SessionRecord, { before, archived }: ItemChange): string {
    const next = withArchived(strict.encodeRecord(record), archived);
    const text = before === null ? written(next) : written(merged(before, next));
    if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) throw invalid(record.id, `it is larger than ${MAX_DOCUMENT_BYTES} bytes`);
    const { id, entry } = decode({ key: record.id, text, copy: null });
    if (entry.kind !== "session") throw invalid(id, entry.reason);
    return text;
  }

  function merged(before: SessionItemOf, next: Fields): Fields {
    const current = withArchived(lenient.encodeRecord(before.entry.record), before.archived);
    return mergeDocument(complete(losslessOf(before), current), { current, next });
  }

  return { decode, encode, settled };
}

/** An entry that cannot be assembled without a loss stays unchanged. */
function settled(item: SessionItem): string {
  try {
    return written(losslessOf(item));
  } catch (error) {
    if (!hasCode(error, "RECORD_DAMAGED")) throw error;
    return item.text;
  }
}

function faultOf(parsed: unknown): string | null {
  if (!isFields(parsed)) return "not a JSON object";
  return freezeDeep(parsed, MAX_DEPTH) ? null : `nested deeper than ${MAX_DEPTH} levels`;
}

/** The entry with the text of its numbers, and with its dropped fields. */
function losslessOf({ id, text, copy }: SessionItem): Fields {
  const document = exactFields(text, id);
  return copy === null || isFields(document.tmpm) ? document : restored(document, exactFields(copy.text, id));
}

/** A text equal to its value's lost nothing when it was parsed, which is several times faster. */
function exactFields(text: string, id: string): Fields {
  const parsed = parseOrNull(text);
  return isFields(parsed) && written(parsed) === text ? parsed : parseLossless(text, id);
}

/** With every field of ours explicit, so that none depends on another one's change. */
function complete(document: Fields, current: Fields): Fields {
  if (!isFields(document.tmpm) || !isFields(current.tmpm)) return document;
  return { ...document, tmpm: restored(document.tmpm, current.tmpm) };
}

function written(document: Fields): string {
  return indented(jsonOf(document));
}

function withArchived(document: Fields, archived: boolean): Fields {
  return archived && isFields(document.tmpm) ? { ...document, tmpm: { ...document.tmpm, archived } } : document;
}

function withoutArchived(document: Fields): { readonly archived: boolean; readonly bare: Fields } {
  if (!isFields(document.tmpm) || typeof document.tmpm.archived !== "boolean") return { archived: false, bare: document };
  const { archived, ...tmpm } = document.tmpm;
  return { archived: archived === true, bare: { ...document, tmpm } };
}

function projectOf(tmpm: unknown): string {
  const project = isFields(tmpm) ? Slug.safeParse(tmpm.project_id) : null;
  return project?.success === true ? project.data : DEFAULT_PROJECT;
}
