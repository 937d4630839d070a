import type { SessionAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { SESSION } from "./shared-arguments.js";

const KEYS = "Enter Escape Tab BTab Space BSpace Up Down Left Right Home End PageUp PageDown Delete C-c C-d C-l C-z".split(" ");

export const keys = command({
  name: "keys",
  group: "Send prompts and answers",
  summary: "Press keys in a session",
  more: `Keys are named as in tmux: Enter, Escape, C-c, M-x, Up, F5; a single character stands for itself.

  tmpm keys demo Escape
  tmpm keys demo Down Down Enter`,
  args: { session: SESSION, keys: { takes: "some", label: "KEY", summary: "Keys, in order", completes: { kind: "words", words: KEYS } } },
  options: {},
  async run({ session, keys }, context): Promise<SessionAnswer> {
    return context.client().keys({ session, keys: [...keys] });
  },
  render: ({ name }) => `${visibleText(name)}: pressed`,
});
