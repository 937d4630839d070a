import type { IncomingHttpHeaders } from "node:http";
import type { Contract } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import type * as z from "zod";
import { headerInput } from "./header-input.js";

export interface Parts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** Maximum number of issues reported per part. */
const MOST_ISSUES = 20;

/** A route's input: parameters, query and body in one object, plus header values. @throws INVALID_ARGUMENT with the invalid fields */
export function parseRequest(contract: Contract, { params, query, body, headers }: Parts): Readonly<Record<string, unknown>> {
  const isRead = contract.body !== null && contract.bytes !== true;
  const input = {
    ...(isRead ? parsePart(contract.body, { part: "body", value: body ?? {} }) : {}),
    ...(takesNothing(contract.query, query) ? {} : parsePart(contract.query, { part: "query", value: query })),
    ...(takesNothing(contract.params, params) ? {} : parsePart(contract.params, { part: "path", value: params })),
  };
  return { ...input, ...headerInput(contract, { headers, input }) };
}

/** Whether a part without fields was left empty. */
function takesNothing(schema: z.ZodType, value: unknown): boolean {
  return "shape" in schema && isEmpty(schema.shape) && isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  for (const _ in value) return false;
  return true;
}

function parsePart(schema: z.ZodType, { part, value }: { readonly part: string; readonly value: unknown }): Record<string, unknown> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data as Record<string, unknown>;
  const issues = parsed.error.issues
    .slice(0, MOST_ISSUES)
    .map((issue) => ({ field: issue.path.join("."), message: wordsOf(issue).slice(0, 1_000) }));
  const [first] = issues;
  const field = first?.field ?? "";
  throw new TmpmError("INVALID_ARGUMENT", `${field === "" ? `the ${part}` : field}: ${first?.message ?? "is malformed"}`, {
    details: { part, issues },
  });
}

/** What a length counts, in singular and plural. */
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
  set: ["entry", "entries"],
  map: ["entry", "entries"],
};

/** A bound in plain words, unless the schema has words of its own. */
function wordsOf(issue: z.core.$ZodIssue): string {
  const { code, message } = issue;
  if (code === "too_big" && message.startsWith("Too big")) return bound(issue, issue.maximum, ["at most", "less than"]);
  if (code === "too_small" && message.startsWith("Too small")) return bound(issue, issue.minimum, ["at least", "more than"]);
  return message;
}

type Bounded = z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall;

/** The words are those for an inclusive and for an exclusive bound. */
function bound(issue: Bounded, value: number | bigint, [inclusive, exclusive]: readonly [string, string]): string {
  const words = issue.exact === true ? "exactly" : issue.inclusive === false ? exclusive : inclusive;
  const units = UNITS[issue.origin];
  if (units === undefined) return `must be ${words} ${value}`;
  const [one, many] = units;
  const isOne = Number(value) === 1;
  if (isOne && words === "at least") return "must not be empty";
  return `must have ${words} ${value} ${isOne ? one : many}`;
}
