import type { SessionAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { renderLine } from "../render/line.js";
import { socketArgument } from "../socket-argument.js";

export const adopt = command({
  name: "adopt",
  summary: "Begin to manage a tmux session that tmpm did not start",
  more: `It goes on as it is: its pane gets a tag, and nothing else of it or of its tmux server is changed. \`tmpm discover\` lists what there is.
What is adopted is never started again by itself.

Examples:
  tmpm adopt work
  tmpm adopt work --agent claude --name api
  tmpm adopt %3 --socket /tmp/project.sock`,
  args: { target: { takes: "one", label: "NAME", summary: "The tmux session's exact name, or a pane's id (%3)" } },
  options: {
    socket: { takes: "text", label: "SOCKET", summary: "The tmux server: a path, or a name as for `tmux -L`" },
    agent: { takes: "text", label: "A", summary: "The agent that runs there; without it what runs there decides" },
    name: { takes: "text", label: "NAME", summary: "The session's name; without it that of the tmux session" },
  },
  async run({ target, socket, agent, name }, context): Promise<SessionAnswer> {
    return context.client().adopt({ target, socket: socket === undefined ? undefined : socketArgument(socket), agent, name });
  },
  render: renderLine,
});
