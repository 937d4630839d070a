import { shown } from "./shown.js";

/** Lines of a screen as text: without the blanks that fill lines, and without the empty ones that fill the screen's end. */
export function trimmedScreen(lines: readonly string[]): readonly string[] {
  const trimmed = lines.map((line) => shown(line).trimEnd());
  return trimmed.slice(0, trimmed.findLastIndex((line) => line !== "") + 1);
}
