import { agentText } from "../agent-text.js";
import { commandBeginnings } from "../command-beginnings.js";
import { composed, spaceBehind, tabsToSpaces } from "../text-changes.js";

/** A last word of files and agents (`@x`), or of commands (`/x`), opens their list; behind a last backslash Enter begins a new line. */
const END = /(?:(?:^|\s)[@/]\S*|\\)$/u;

export const claudeText = agentText({
  refuses: commandBeginnings("Claude Code", ["/", "!"]),
  guards: [spaceBehind(END)],
  alters: [tabsToSpaces, composed],
});
