import type { AgentText } from "../agent-text.js";

/** As measured with version 2.1.197: `@` and `#` stay text where more follows, and a space before `/` and `!` reaches the conversation with them. */
export const claudeText: AgentText = {
  commands: ["/", "!"],
  // A last word of files and agents (`@x`), or of commands (`/x`), opens their list; behind a last backslash Enter begins a new line.
  listEnd: /(?:(?:^|\s)[@/]\S*|\\)$/u,
  asText: (text) => ({ text: ` ${text}`, altered: "a space stands before it, so that it is not taken for a command" }),
  alters(text) {
    const changes = [
      ...(text.includes("\t") ? ["a tab becomes four spaces"] : []),
      ...(text === text.normalize("NFC") ? [] : ["characters and their marks may be composed (NFC)"]),
    ];
    return changes.length === 0 ? null : changes.join("; ");
  },
};
