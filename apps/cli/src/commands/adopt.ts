import type { SessionAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { socketArgument } from "../input/socket-argument.js";
import { renderLine } from "../render/line.js";

export const adopt = command({
  name: "adopt",
  group: "Take over existing sessions",
  summary: "Manage a tmux session that tmpm did not start",
  more: `It keeps running: its pane is tagged, and nothing else in it or its tmux server is changed. \`tmpm discover\` lists candidates. An adopted session is never restarted automatically.

Examples:
  tmpm adopt work
  tmpm adopt work --agent claude --name api
  tmpm adopt work --as api
  tmpm adopt %3 --socket /tmp/project.sock`,
  args: {
    target: {
      takes: "one",
      label: "NAME",
      summary: "The tmux session's exact name, or a pane's id (%3)",
      completes: { kind: "discovered" },
    },
  },
  options: {
    socket: { takes: "text", label: "SOCKET", summary: "The tmux server: a path, or a name as for `tmux -L`" },
    agent: { takes: "text", label: "A", summary: "Agent that runs there (default: detected)" },
    name: { takes: "text", label: "NAME", summary: "Session name (default: the tmux session's)" },
    as: { takes: "text", label: "SESSION", summary: "Make it the terminal of this stopped session", completes: { kind: "sessions" } },
  },
  async run({ target, socket, agent, name, as }, context): Promise<SessionAnswer> {
    return context
      .client()
      .adopt({ target, socket: socket === undefined ? undefined : await socketArgument(socket, context), agent, name, as });
  },
  render: renderLine,
});
