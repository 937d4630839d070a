import { normalizeTimestamp } from "../time/time.js";
import { Timestamp } from "../time/timestamp.js";
import { SessionRecord } from "./record.js";

/**
 * Whether parsing a document would change nothing, because every field is present, valid and in canonical form. Faster than the schema for
 * documents that the store wrote. False means unknown.
 */
export function isCanonicalRecord(document: unknown): document is SessionRecord {
  return isRecord?.(document) === true;
}

type Check = (value: unknown) => boolean;

/** The inspected part of a schema. */
interface Schema {
  readonly def: Definition;
}

interface Definition {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: object } }[];
  readonly innerType?: unknown;
  readonly element?: unknown;
  readonly catchall?: unknown;
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
}

const isRecord = checkOf(SessionRecord);

/** Null for a schema whose identity cases are unknown. */
function checkOf(schema: unknown): Check | null {
  if (schema === Timestamp) return isCanonicalTimestamp;
  if (!isSchema(schema)) return null;
  const { def } = schema;
  switch (def.type) {
    case "boolean":
      return (value) => typeof value === "boolean";
    case "enum":
      return oneOf(Object.values(def.entries ?? {}));
    case "literal":
      return oneOf(def.values ?? []);
    case "default":
      return checkOf(def.innerType);
    case "nullable":
      return orElse((value) => value === null, checkOf(def.innerType));
    case "optional":
      return orElse((value) => value === undefined, checkOf(def.innerType));
    case "array":
      return arrayOf(def);
    case "string":
      return withChecks((value) => typeof value === "string", def);
    case "number":
      return withChecks((value) => Number.isFinite(value), def);
    case "object":
      return objectOf(def);
    default:
      return null;
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && "def" in value;
}

function oneOf(words: readonly unknown[]): Check {
  const known = new Set(words);
  return (value) => known.has(value);
}

function orElse(first: Check, second: Check | null): Check | null {
  return second === null ? null : (value) => first(value) || second(value);
}

function arrayOf({ element, checks = [] }: Definition): Check | null {
  const check = checkOf(element);
  if (check === null || checks.length > 0) return null;
  return (value) => Array.isArray(value) && value.every(check);
}

/** Only objects that keep unknown fields; `__proto__` depends on the reader. */
function objectOf({ shape = {}, catchall, checks = [] }: Definition): Check | null {
  if (!isSchema(catchall) || catchall.def.type !== "unknown" || checks.length > 0) return null;
  const fields: (readonly [string, Check])[] = [];
  for (const [key, schema] of Object.entries(shape)) {
    const check = checkOf(schema);
    if (check === null) return null;
    fields.push([key, check]);
  }
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value) || Object.hasOwn(value, "__proto__")) return false;
    const document = value as Readonly<Record<string, unknown>>;
    for (const [key, check] of fields) if (!check(document[key])) return false;
    return true;
  };
}

function withChecks(isType: Check, { checks = [] }: Definition): Check | null {
  const more = checks.map(({ _zod }) => constraintOf(_zod.def));
  if (more.includes(null)) return null;
  const all = more.flatMap((check) => check ?? []);
  return (value) => isType(value) && all.every((check) => check(value));
}

/** The constraints that records have. */
function constraintOf(def: {
  readonly check?: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly value?: number;
  readonly inclusive?: boolean;
}): Check | null {
  const { check, format, pattern, value: limit, inclusive } = def;
  if (check === "string_format" && format === "regex" && pattern !== undefined && pattern.flags === "") {
    return (value) => typeof value === "string" && pattern.test(value);
  }
  if (check === "number_format" && format === "safeint") return Number.isSafeInteger;
  if (check === "greater_than" && typeof limit === "number") {
    return (value) => typeof value === "number" && (inclusive === true ? value >= limit : value > limit);
  }
  if (check === "less_than" && typeof limit === "number") {
    return (value) => typeof value === "number" && (inclusive === true ? value <= limit : value < limit);
  }
  return null;
}

function isCanonicalTimestamp(value: unknown): boolean {
  return typeof value === "string" && normalizeTimestamp(value) === value;
}
