import { agentText, type TextChange } from "../agent-text.js";
import { backslashBefore, composed, spaceBehind, tabsToSpaces, trimmedEnd } from "../text-changes.js";
import { withoutHidden } from "./hidden-characters.js";

/** A last word of files and agents (`@x`), or of commands (`/x`), opens their list; behind a last backslash Enter begins a new line. */
const END = /(?:(?:^|\s)[@/]\S*|\\)$/u;

/** Words that end it, alone in its input. */
const FAREWELLS = new Set(["exit", "quit", ":q", ":q!", ":wq", ":wq!"]);

/** A name with another slash in it is a path, and no command. */
function isCommand(text: string): boolean {
  const said = text.trim();
  return said.startsWith("!") || /^\/[\w:.-]*(?:\s|$)/u.test(said) || FAREWELLS.has(said);
}

const hidden: TextChange = { says: "characters that do not show are removed", apply: withoutHidden };

const separators: TextChange = { says: "line separators become line feeds", apply: (text) => text.replace(/[\u2028\u2029]/gu, "\n") };

/** As measured with version 2.1.332. What does not show is removed before: Claude removes it too, but then sends nothing at the first Enter. */
export const claudeText = agentText({
  refuses: () => null,
  guards: [hidden, separators, backslashBefore(isCommand), spaceBehind(END)],
  alters: [tabsToSpaces, composed, trimmedEnd],
});
