import { parseObject } from "@tmpm/api/local";

/** The members of a JSON object; none for any other text. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  return parseObject(text) ?? {};
}

export function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
