import type { SessionAnswer } from "@tmpm/api";
import { visibleText } from "@tmpm/core";
import { command } from "../command.js";
import { SESSION } from "./shared-arguments.js";

export const keys = command({
  name: "keys",
  summary: "Press keys in a session",
  more: `Keys are named as in tmux: Enter, Escape, C-c, M-x, Up, F5; a single character stands for itself.

  tmpm keys demo Escape
  tmpm keys demo Down Down Enter`,
  args: { session: SESSION, keys: { takes: "some", label: "KEY", summary: "Keys, in order" } },
  options: {},
  async run({ session, keys }, context): Promise<SessionAnswer> {
    return context.client().keys({ session, keys: [...keys] });
  },
  render: ({ name }) => `${visibleText(name)}: pressed`,
});
