import { isDeepStrictEqual } from "node:util";

export type Fields = Readonly<Record<string, unknown>>;

interface Change {
  readonly current: unknown;
  readonly next: unknown;
}

interface FieldsChange {
  readonly current: Fields;
  readonly next: Fields;
}

/**
 * The document with a change of its record applied. What did not change keeps the document's own form (number text, time form, absence), and fields that
 * the record never showed, or that the next one left out at the top level, are kept.
 */
export function mergeDocument(document: Fields, { current, next }: FieldsChange): Fields {
  const shown = Object.fromEntries(Object.entries(current).filter(([key]) => Object.hasOwn(next, key)));
  return mergeFields(document, { current: shown, next });
}

function mergeValue(document: unknown, { current, next }: Change): unknown {
  if (isDeepStrictEqual(current, next)) return document;
  if (isFields(document) && isFields(current) && isFields(next)) return mergeFields(document, { current, next });
  if (Array.isArray(document) && Array.isArray(current) && Array.isArray(next)) {
    return next.map((value: unknown, index) =>
      index < document.length ? mergeValue(document[index], { current: current[index], next: value }) : value,
    );
  }
  return next;
}

function mergeFields(document: Fields, { current, next }: FieldsChange): Fields {
  const merged = new Map<string, unknown>();
  for (const [key, value] of Object.entries(document)) {
    if (Object.hasOwn(next, key)) merged.set(key, mergeValue(value, { current: current[key], next: next[key] }));
    else if (!Object.hasOwn(current, key)) merged.set(key, value);
  }
  for (const [key, value] of Object.entries(next)) {
    if (!merged.has(key) && !isDeepStrictEqual(current[key], value)) merged.set(key, value);
  }
  return Object.fromEntries([...merged].filter(([, value]) => value !== undefined));
}

/** Objects with a prototype of their own, such as a lossless number, are values. */
export function isFields(value: unknown): value is Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
