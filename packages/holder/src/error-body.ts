import { type ErrorBody, fromErrorBody, type TmpmError } from "@tmpm/core/errors";

/** The error in the message; null without one. */
export function errorOf(value: unknown): TmpmError | null {
  return isErrorBody(value) ? fromErrorBody(value) : null;
}

function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== "object" || value === null) return false;
  return "code" in value && typeof value.code === "string" && "message" in value && typeof value.message === "string";
}
