import type * as z from "zod";
import { TmpmError } from "../errors.js";

/** The result of decoding a document. `unsupported`: well-formed, but with a value that this version does not know. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly kind: "unsupported" | "damaged"; readonly error: TmpmError };

export function read<Schema extends z.ZodType>(schema: Schema, document: unknown): Reading<z.output<Schema>> {
  const result = schema.safeParse(document, { reportInput: true });
  if (result.success) return { ok: true, value: result.data };
  const kind = result.error.issues.every(isUnknownValue) ? "unsupported" : "damaged";
  return { ok: false, kind, error: invalid(result.error.issues) };
}

export function orThrow<T>(reading: Reading<T>): T {
  if (reading.ok) return reading.value;
  throw reading.error;
}

/** The error of the first issue, which names its field: `correlation.pr_id: …`. */
export function invalid(issues: readonly z.core.$ZodIssue[]): TmpmError {
  const field = issues[0]?.path.map(String).join(".") || "document";
  return invalidField(field, issues[0]?.message ?? "not readable");
}

export function invalidField(field: string, message: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `${field}: ${message}`, { details: { field } });
}

function isUnknownValue(issue: z.core.$ZodIssue): boolean {
  return issue.code === "invalid_value" && (typeof issue.input === "string" || typeof issue.input === "number");
}
