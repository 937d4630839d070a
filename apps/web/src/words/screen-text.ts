import { shown } from "./shown.js";

/** A screen's lines as text, without trailing blanks and trailing empty lines. */
export function trimmedScreen(lines: readonly string[]): readonly string[] {
  const trimmed = lines.map((line) => shown(line).trimEnd());
  return trimmed.slice(0, trimmed.findLastIndex((line) => line !== "") + 1);
}
