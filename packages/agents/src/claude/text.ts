import { agentText, type TextChange } from "../text/agent-text.js";
import { piecesOfImages } from "../text/image-paths.js";
import { backslashBefore, composed, spaceBehind, tabsToSpaces, trimmedEnd, trimmedStart } from "../text/text-changes.js";
import { withoutHidden } from "./hidden-characters.js";
import { inlinePieces, isPastedWhole, MOST_INLINE } from "./pieces.js";

/** A last word for files and agents (`@x`), or commands (`/x`), opens their list; after a last backslash Enter begins a new line. */
const END = /(?:(?:^|\s)[@/]\S*|\\)$/u;

/** Words that exit it, alone in its input. */
const FAREWELLS = new Set(["exit", "quit", ":q", ":q!", ":wq", ":wq!"]);

/** A name with another slash in it is a path, not a command. */
function isCommand(text: string): boolean {
  const said = text.trim();
  return said.startsWith("!") || /^\/[\w:.-]*(?:\s|$)/u.test(said) || FAREWELLS.has(said);
}

const hidden: TextChange = { says: "invisible characters are removed", apply: withoutHidden };

const separators: TextChange = { says: "line separators become line feeds", apply: (text) => text.replace(/[\u2028\u2029]/gu, "\n") };

/** Applies when its model is at another address than the vendor's, and otherwise as the vendor's switches decide. */
function markedAsPasted(typed: string): string | null {
  return isPastedWhole(typed) ? "it may be wrapped in tags that mark it as pasted (`<pasted_content>`)" : null;
}

/**
 * As measured with version 2.1.332. Invisible characters are removed first: Claude removes them too, but then ignores the first Enter. So
 * are leading blanks: it removes them only from a text queued while it works.
 */
export const claudeText = agentText({
  refuses: () => null,
  guards: [hidden, separators, trimmedStart, trimmedEnd, backslashBefore(isCommand), spaceBehind(END)],
  alters: [tabsToSpaces, composed, trimmedEnd],
  pieces: (typed) => inlinePieces(typed).flatMap((piece) => piecesOfImages(piece, MOST_INLINE.characters)),
  doubts: markedAsPasted,
});
