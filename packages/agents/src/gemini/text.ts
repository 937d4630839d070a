import { agentText, type TextChange } from "../text/agent-text.js";
import { backslashBefore, spaceBehind, trimmed } from "../text/text-changes.js";

/** The start of a path, up to its first name. */
const PATH_START = /^[\s"'\\]*(?:[/~.]|[a-z]:)(?:[\s"'\\/~.]|[a-z]:)*/iu;

/** Gemini CLI 0.61.0 turns a paste into `@` mentions when each of its words starts like a path and is an existing file, so the start is a piece of its own. */
function piecesOfPaths(typed: string): readonly string[] {
  const start = PATH_START.exec(typed)?.[0] ?? "";
  return start === "" || start === typed ? [typed] : [start, typed.slice(start.length)];
}

/** A last word for files (`@x`) opens their list; after a last backslash Enter begins a new line. */
const END = /(?:(?:^|\s)@\S*|\\)$/u;

const UNSAFE = /[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A longer paste is a placeholder in its input, and its text is kept unchanged. */
function isInline(text: string): boolean {
  return text.split("\n").length <= 5 && text.length <= 500;
}

const hidden: TextChange = {
  says: "some invisible characters are removed",
  apply: (text) => (isInline(text) ? text.replace(UNSAFE, "") : text),
};

/** A name with another slash in it is a path, not a command. */
function isCommand(text: string): boolean {
  return /^\/[^/*\s]*(?:\s|$)/u.test(text.replace(UNSAFE, "").trim());
}

/**
 * As measured with version 0.61.0. Trimmed characters are not typed: leading blanks look like its suggestion. `!` opens its shell only when
 * typed, not when pasted.
 */
export const geminiText = agentText({
  refuses: () => null,
  guards: [trimmed, backslashBefore(isCommand), spaceBehind(END)],
  alters: [hidden, trimmed],
  // No path has a line feed, and parts of a longer text would be other placeholders.
  pieces: (typed) => (isInline(typed) && !typed.includes("\n") ? piecesOfPaths(typed) : [typed]),
});
