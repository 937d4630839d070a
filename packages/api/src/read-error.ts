import { type ErrorBody, fromErrorBody, type TmpmError } from "@tmpm/core/errors";

/** The JSON object in a text; null for anything else. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The error in a response body; null if there is none. */
export function errorIn(body: Readonly<Record<string, unknown>> | null): TmpmError | null {
  return body !== null && isErrorBody(body.error) ? fromErrorBody(body.error) : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isErrorBody(value: unknown): value is ErrorBody {
  return isObject(value) && typeof value.code === "string" && "message" in value;
}
