import type { DiscoverAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { discoveryNotes, renderDiscovered } from "../render/discovered.js";
import { socketArgument } from "../socket-argument.js";

export const discover = command({
  name: "discover",
  summary: "List what runs and is no session: other tmux sessions, and agents in terminals of their own",
  more: `Nothing is touched. What can be adopted becomes a session with \`tmpm adopt NAME\`; an agent that runs outside tmux is shown with its pid, start and
directory, and cannot be controlled. Looked at are tmpm's own tmux server, the one that \`tmux\` alone uses
(or those that TMPM_FOREIGN_SOCKETS names, with \`:\` between them), and the one given with --socket.

Examples:
  tmpm discover
  tmpm discover --socket /tmp/project.sock
  tmpm discover --json`,
  args: {},
  options: { socket: { takes: "text", label: "SOCKET", summary: "Also this tmux server: a path, or a name as for `tmux -L`" } },
  async run({ socket }, context): Promise<DiscoverAnswer> {
    return context.client().discover(socket === undefined ? {} : { sockets: [socketArgument(socket)] });
  },
  render: renderDiscovered,
  notes: discoveryNotes,
});
