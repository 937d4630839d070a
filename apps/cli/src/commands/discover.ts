import type { DiscoverAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { socketArgument } from "../input/socket-argument.js";
import { discoveryNotes, renderDiscovered } from "../render/discovered.js";

export const discover = command({
  name: "discover",
  group: "Take over existing sessions",
  summary: "List unmanaged tmux sessions and agents",
  more: `Read-only. \`tmpm adopt NAME\` turns a tmux session into a managed one; an agent outside tmux is listed with its pid, start time and directory, and cannot be controlled. Searches tmpm's own tmux server, the default tmux server (or those in TMPM_FOREIGN_SOCKETS, colon-separated), and the one given with --socket.

Examples:
  tmpm discover
  tmpm discover --socket /tmp/project.sock
  tmpm discover --json`,
  args: {},
  options: { socket: { takes: "text", label: "SOCKET", summary: "Also search this tmux server: a path, or a name as for `tmux -L`" } },
  async run({ socket }, context): Promise<DiscoverAnswer> {
    return context.client().discover(socket === undefined ? {} : { sockets: [await socketArgument(socket, context)] });
  },
  render: renderDiscovered,
  notes: discoveryNotes,
});
