import { agentText, type TextChange } from "../text/agent-text.js";
import { piecesOfImages } from "../text/image-paths.js";
import { withoutIdleJoiners } from "../text/joiners.js";
import { spaceBehind, trimmed } from "../text/text-changes.js";

/** A last word for skills or files (`$x`, `@x`) opens their list. */
const END = /(?:^|\s)[$@]\S*$/u;

/** Without a leading blank, such a text is a command, and `!` alone switches its input to shell mode. */
const spaceBefore: TextChange = {
  says: "a space is prepended, so that it is not taken for a command",
  apply: (text) => (/^(?:!|\/)/u.test(text) ? ` ${text}` : text),
};

/** In a multi-line text such a joiner garbles its screen under tmux 3.3a. */
const joiners: TextChange = { says: "joiners without effect are removed", apply: withoutIdleJoiners };

/** A longer paste is a placeholder. */
const MOST_INLINE = 1_000;

/** As measured with version 0.171.0. */
export const codexText = agentText({
  refuses: () => null,
  guards: [joiners, trimmed, spaceBefore, spaceBehind(END)],
  alters: [trimmed],
  pieces: (typed) => piecesOfImages(typed, MOST_INLINE),
});
