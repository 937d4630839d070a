import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fail, type LocalFinding, type Place, warn } from "./local-finding.js";
import { someoneListens } from "./someone-listens.js";

const NAME = "strays";
const MAKES_MS = 5_000;

/** tmpm's tmux servers without a reachable socket, whose sessions keep running unseen. */
export async function lostServer(servers: readonly number[], { env, location, uid }: Place): Promise<readonly LocalFinding[]> {
  const [first] = servers;
  if (first === undefined) return [];
  const socket = socketPath(location.tmuxSocket, { env, uid });
  if ((await someoneListens(socket)) !== false) return servers.length === 1 ? [] : [several(servers, socket)];
  const message = `tmux server ${first} runs, but nothing listens at ${socket}: its sessions are unreachable`;
  const hint = `\`kill -USR1 ${first}\` makes it recreate its socket.`;
  return [servers.length === 1 ? fail(NAME, { message, hint, cure: () => makeSocketAnew(first, socket) }) : several(servers, socket)];
}

/** Resolved as by `tmux -L`. */
function socketPath(tmuxSocket: string, { env, uid }: Pick<Place, "env" | "uid">): string {
  return tmuxSocket.includes("/") ? tmuxSocket : join(env.TMUX_TMPDIR || "/tmp", `tmux-${uid}`, tmuxSocket);
}

async function makeSocketAnew(pid: number, socket: string): Promise<string> {
  process.kill(pid, "SIGUSR1");
  const deadline = Date.now() + MAKES_MS;
  while ((await someoneListens(socket)) !== true) {
    if (Date.now() > deadline) throw new RangeError(`tmux server ${pid} did not recreate ${socket}`);
    await sleep(50);
  }
  return `tmux server ${pid} recreated ${socket}`;
}

function several(servers: readonly number[], socket: string): LocalFinding {
  return warn(NAME, {
    message: `${servers.length} tmux servers of this data folder run (${servers.join(", ")}), but the socket belongs to only one of them`,
    hint: `\`tmux -S ${socket} display-message -p '#{pid}'\` shows which. End the others with kill.`,
  });
}
