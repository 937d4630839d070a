import { visibleText } from "@tmpm/core";

/** A text as one line without control characters. */
export function oneLine(text: string): string {
  return visibleText(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** Truncated to `most` characters. */
export function clip(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
