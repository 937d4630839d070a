import { isObject, textAt } from "../files/json-path.js";

/** Fields with a tool call's subject, the most specific first. */
const KEYS = ["command", "file_path", "path", "url", "query", "pattern", "plan", "prompt", "description"] as const;

/** The exact subject of a tool call: the command, the file, or the whole input as JSON. */
export function subjectOf(input: unknown): string {
  const found = KEYS.map((key) => textAt(input, key)).find((text) => text !== null);
  if (found !== undefined && found !== null) return found;
  return isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : "";
}
