import { agentText, type TextChange } from "../text/agent-text.js";
import { piecesOfImages } from "../text/image-paths.js";
import { backslashBefore, spaceBehind } from "../text/text-changes.js";

/** A last word for files and agents (`@x`) opens their list. */
const END = /(?:^|\s)@\S*$/u;

/** Words that exit it, alone in its input. */
const FAREWELLS = new Set(["exit", "quit", ":q"]);

function isCommand(text: string): boolean {
  const said = text.trim();
  return /^[/!]/u.test(said) || FAREWELLS.has(said);
}

const MOST_INLINE = 150;

/** Texts shown as a placeholder: three lines, or more characters. */
const asPlaceholder: TextChange = {
  says: "in a long text, leading and trailing whitespace is replaced by one space at the end",
  apply(text) {
    const said = text.trim();
    return said.split("\n").length >= 3 || said.length > MOST_INLINE ? `${said} ` : text;
  },
};

const withoutMark: TextChange = {
  says: "a byte order mark at the beginning is removed",
  apply: (text) => text.replace(/^\ufeff+/u, ""),
};

/** As measured with version 1.18.33. */
export const opencodeText = agentText({
  refuses: () => null,
  guards: [backslashBefore(isCommand), spaceBehind(END)],
  alters: [withoutMark, asPlaceholder],
  // A path has no line feed, and parts of three lines would not be one placeholder.
  pieces: (typed) => (typed.includes("\n") ? [typed] : piecesOfImages(typed, MOST_INLINE)),
});
