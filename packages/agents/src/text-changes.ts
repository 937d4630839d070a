import type { TextChange } from "./agent-text.js";

/** For an end of a text by which Enter would choose from a list, or begin a new line, in place of sending it. */
export function spaceBehind(end: RegExp): TextChange {
  return { says: "a space is added behind it", apply: (text) => (end.test(text) ? `${text} ` : text) };
}

export const tabsToSpaces: TextChange = { says: "a tab becomes four spaces", apply: (text) => text.replaceAll("\t", "    ") };

export const composed: TextChange = { says: "characters and their marks are composed (NFC)", apply: (text) => text.normalize("NFC") };
