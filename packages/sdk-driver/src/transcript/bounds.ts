import type { Entry } from "./transcript.js";

/** Maximum size of a transcript, in entries and in UTF-16 units. */
export const MOST_ENTRIES = 2_000;
export const MOST_UNITS = 4 * 1024 * 1024;
export const MOST_SAID = 512 * 1024;
export const MOST_OUTPUT = 64 * 1024;
export const MOST_TITLE = 8 * 1024;

/** The text, or its beginning and the omitted length. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, isHigh(text.charCodeAt(most - 1)) ? most - 1 : most);
  return `${kept}\n[${text.length - kept.length} more characters not kept]`;
}

export function unitsOf(entry: Entry): number {
  switch (entry.kind) {
    case "said":
    case "noted":
      return entry.text.length;
    case "used":
      return entry.title.length + entry.output.length;
  }
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
