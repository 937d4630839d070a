import { isatty } from "node:tty";
import { command } from "../command.js";
import { NODE_OPTION } from "../fleet/each-node.js";
import { usageError } from "../parse/usage-error.js";

export const top = command({
  name: "top",
  group: "Observe",
  summary: "Dashboard: all sessions live, with actions",
  more: `Sessions that need you come first, with the reason; the selected session's screen is shown beside the list. The bottom line and ? list the keys. q quits; sessions keep running.
The sessions of all nodes are listed, as NODE:SESSION, and keys act where the session is. Those of a node that does not answer are shown as unknown, with the reason.

  tmpm top
  tmpm top --node build1
  NO_COLOR=1 tmpm top`,
  args: {},
  options: { node: NODE_OPTION },
  printed: "nothing",
  async run({ node }, context): Promise<number> {
    if (context.json || !isatty(0) || !isatty(1) || context.env.TERM === "dumb") {
      throw usageError("tmpm top needs a terminal", "For programs there are `tmpm ls --json` and `tmpm events --follow --json`.");
    }
    const { runTop } = await import("../top/run-top.js");
    return runTop(context, { only: node, stdin: process.stdin, stdout: process.stdout });
  },
  render: () => "",
  exit: (status) => status,
});
