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
 * The document with a change of its record applied. Unchanged fields keep the document's own form (number text, time form, absence), and
 * fields that the record never had, or that the next one omits at the top level, are kept.
 */
export function mergeDocument(document: Fields, { current, next }: FieldsChange): Fields {
  const merged: Record<string, unknown> = { ...document };
  for (const [key, value] of Object.entries(next)) {
    if (isSame(current[key], value)) continue;
    const after = Object.hasOwn(document, key) ? mergeValue(document[key], { current: current[key], next: value }) : value;
    if (after === undefined) delete merged[key];
    else Object.defineProperty(merged, key, { value: after, enumerable: true, configurable: true, writable: true });
  }
  return merged;
}

function mergeValue(document: unknown, { current, next }: Change): unknown {
  if (isSame(current, next)) return document;
  if (isFields(document) && isFields(current) && isFields(next)) return mergeFields(document, { current, next });
  if (Array.isArray(document) && Array.isArray(current) && Array.isArray(next)) {
    return next.map((value: unknown, index) =>
      index < document.length ? mergeValue(document[index], { current: current[index], next: value }) : value,
    );
  }
  return next;
}

/** Below the top level, omitted fields are removed. */
function mergeFields(document: Fields, change: FieldsChange): Fields {
  const { current, next } = change;
  const gone = new Set(Object.keys(current).filter((key) => !Object.hasOwn(next, key)));
  return Object.fromEntries(Object.entries(mergeDocument(document, change)).filter(([key]) => !gone.has(key)));
}

/** Most unchanged values are identical. */
function isSame(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || isDeepStrictEqual(a, b);
}

/** Objects with another prototype, such as a lossless number, are values. */
export function isFields(value: unknown): value is Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
