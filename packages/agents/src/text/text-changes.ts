import type { TextChange } from "./agent-text.js";

/** For an end of a text at which Enter would choose from a list, or begin a new line, instead of sending it. */
export function spaceBehind(end: RegExp): TextChange {
  return { says: "a space is appended", apply: (text) => (end.test(text) ? `${text} ` : text) };
}

/** For a text that would be a command. Leading blanks do not prevent that. */
export function backslashBefore(isCommand: (text: string) => boolean): TextChange {
  return {
    says: "a backslash is prepended, so that it is not taken for a command",
    apply: (text) => (isCommand(text) ? text.replace(/^\s*/u, (blanks) => `${blanks}\\`) : text),
  };
}

export const tabsToSpaces: TextChange = { says: "a tab becomes four spaces", apply: (text) => text.replaceAll("\t", "    ") };

export const composed: TextChange = { says: "characters and their marks are composed (NFC)", apply: (text) => text.normalize("NFC") };

export const trimmedStart: TextChange = {
  says: "leading whitespace is removed",
  apply: (text) => text.replace(/^\p{White_Space}+/u, ""),
};

export const trimmedEnd: TextChange = { says: "trailing whitespace is removed", apply: (text) => text.trimEnd() };

export const trimmed: TextChange = {
  says: "leading and trailing whitespace is removed",
  apply: (text) => text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, ""),
};
