import { isObject, textAt } from "../files/json-path.js";

/** Where tools keep what they are about, the most specific first. */
const KEYS = ["command", "file_path", "path", "url", "query", "pattern", "plan", "prompt", "description"] as const;

/** What a tool call is about, exactly: the command, the file, or the whole input as JSON. */
export function subjectOf(input: unknown): string {
  const found = KEYS.map((key) => textAt(input, key)).find((text) => text !== null);
  if (found !== undefined && found !== null) return found;
  return isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : "";
}
