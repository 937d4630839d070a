import type { SessionRecord } from "@tmpm/core";
import type { SessionFacts } from "@tmpm/supervisor";
import { sessionAnswer } from "../answers/answer.js";
import { etagOf } from "./etag.js";

/** A session's last serialized response. */
interface Sheet {
  readonly facts: SessionFacts;
  readonly json: Buffer;
  /** Null before the first request. */
  etag: string | null;
  /** For the last requested fields. */
  part: { readonly fields: string; readonly json: Buffer } | null;
}

/** Records are immutable, so a changed session has a different one; the other data is compared by value. */
const sheets = new WeakMap<SessionRecord, Sheet>();

/** The JSON of `sessionAnswer`, serialized again only after a change. */
export function sessionJson(facts: SessionFacts): Buffer {
  return sheetOf(facts).json;
}

export function sessionEtag(facts: SessionFacts): string {
  const sheet = sheetOf(facts);
  sheet.etag ??= etagOf(facts.record.rev, sheet.json);
  return sheet.etag;
}

/** With the given fields only. */
export function sessionPart(facts: SessionFacts, fields: readonly string[]): Buffer {
  const sheet = sheetOf(facts);
  const name = fields.join();
  if (sheet.part?.fields !== name) {
    const all: Readonly<Record<string, unknown>> = sessionAnswer(facts);
    const json = Buffer.from(JSON.stringify(Object.fromEntries(fields.map((field) => [field, all[field]]))));
    sheet.part = { fields: name, json };
  }
  return sheet.part.json;
}

function sheetOf(facts: SessionFacts): Sheet {
  const before = sheets.get(facts.record);
  if (before !== undefined && isSame(before.facts, facts)) return before;
  const sheet: Sheet = { facts, json: Buffer.from(JSON.stringify(sessionAnswer(facts))), etag: null, part: null };
  sheets.set(facts.record, sheet);
  return sheet;
}

/** Whether two values certainly have the same JSON. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((value, index) => isSame(value, b[index]));
  if (!isPlain(a) || !isPlain(b)) return false;
  let left = 0;
  for (const key in a) {
    if (!isSame(a[key], b[key])) return false;
    left += 1;
  }
  for (const _ in b) left -= 1;
  return left === 0;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
