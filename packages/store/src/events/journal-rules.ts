import { EventBody, TmpmError } from "@tmpm/core";
import { freezeDeep, MAX_DEPTH } from "../sessions/record-document.js";
import type { ReadFrom } from "./journal.js";

/** The event as every reader gets it: a frozen copy. @throws INVALID_ARGUMENT for an event that would not read back */
export function checkedBody(body: EventBody): EventBody {
  const parsed = EventBody.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalidEvent(issue?.path.map(String).join(".") || "event", issue?.message ?? "not readable");
  }
  freezeDeep(parsed.data, MAX_DEPTH);
  return parsed.data;
}

/** @throws INVALID_ARGUMENT */
export function checkedRead({ after, limit }: ReadFrom): void {
  if (!Number.isSafeInteger(after) || after < 0) throw invalidEvent("after", "not the number of an event, or 0");
  if (!Number.isSafeInteger(limit) || limit < 1) throw invalidEvent("limit", "not a positive whole number");
}

export function tooLarge(bytes: number): TmpmError {
  return invalidEvent("event", `larger than ${bytes} bytes`);
}

function invalidEvent(field: string, reason: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `${field}: ${reason}`, { details: { field } });
}
