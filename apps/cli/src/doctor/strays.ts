import { join } from "node:path";
import { isAlive } from "../daemon/process-alive.js";
import type { DaemonKnown } from "./daemon-known.js";
import { type LocalFinding, ok, type Place, skip, warn } from "./local-finding.js";
import { lostServer } from "./lost-server.js";
import { type OwnProcess, ownProcesses } from "./own-processes.js";

const NAME = "strays";

export interface StraysOptions {
  readonly known: DaemonKnown;
  readonly processes?: readonly OwnProcess[] | null;
}

/** Processes that tmpm started for this data folder and that do not belong to any of its daemons, servers or sessions. */
export async function strays(
  place: Place,
  { known, processes = ownProcesses(place.uid) }: StraysOptions,
): Promise<readonly LocalFinding[]> {
  if (processes === null) return [skip(NAME, "this system does not show processes in /proc")];
  const ours = sorted(processes, place);
  const found = [
    ...(await lostServer(
      ours.servers.map(({ pid }) => pid),
      place,
    )),
    ...extraDaemons(ours.daemons, known),
    ...orphanedClients(ours, processes),
    ...(await ofEndedSessions(ours.ofSessions, known)),
  ];
  return found.length > 0 ? found : [ok(NAME, "every process that tmpm started is accounted for")];
}

interface Ours {
  readonly daemons: readonly OwnProcess[];
  readonly servers: readonly OwnProcess[];
  readonly clients: readonly OwnProcess[];
  readonly ofSessions: readonly OwnProcess[];
}

/** Recognized by values that only tmpm sets: the socket in a daemon's or session's environment, the settings file of its tmux. */
function sorted(processes: readonly OwnProcess[], { location: { home, socket } }: Place): Ours {
  const settings = join(home, "tmux", "tmux.conf");
  const isTmux = ({ name, args }: OwnProcess, kind: string) => name === `tmux: ${kind}` && args.includes(settings);
  const here = processes.filter(({ env }) => env.get("TMPM_SOCKET") === socket);
  return {
    daemons: here.filter(isDaemon),
    servers: processes.filter((process) => isTmux(process, "server")),
    clients: processes.filter((process) => isTmux(process, "client") && process.args.includes("-C")),
    ofSessions: here.filter((process) => !isDaemon(process) && process.env.has("TMPM_SESSION_ID")),
  };
}

/** Its own program has `TMPM_CLI`, which its children do not inherit. */
function isDaemon({ env }: OwnProcess): boolean {
  return env.has("TMPM_CLI");
}

function extraDaemons(daemons: readonly OwnProcess[], known: DaemonKnown): readonly LocalFinding[] {
  if (known.kind !== "running") return [];
  const extra = daemons.filter(({ pid, parent }) => pid !== known.pid && parent !== known.pid);
  if (extra.length === 0) return [];
  const pids = extra.map(({ pid }) => pid).join(" ");
  return [
    warn(NAME, {
      message: `another daemon process is running: ${pids}`,
      hint: `It serves no data folder. End it: kill ${pids}`,
    }),
  ];
}

/** A client that outlives its daemon blocks the server's panes. It runs below a shell that ends it with its daemon. */
function orphanedClients({ clients, daemons }: Ours, processes: readonly OwnProcess[]): readonly LocalFinding[] {
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  const isBelowDaemon = ({ parent }: OwnProcess) => {
    const above = [parent, parents.get(parent) ?? 0];
    return daemons.some(({ pid }) => above.includes(pid));
  };
  const orphaned = clients.filter((client) => !isBelowDaemon(client));
  return orphaned.map(({ pid }) =>
    warn(NAME, {
      message: `tmux client ${pid} belongs to a daemon that has ended`,
      hint: `It may block sessions' output. End it: kill ${pid}`,
    }),
  );
}

/** Queried after listing the processes, so that a session started meanwhile is known. */
async function ofEndedSessions(processes: readonly OwnProcess[], known: DaemonKnown): Promise<readonly LocalFinding[]> {
  if (known.kind !== "running" || processes.length === 0) return [];
  const live = await known.live();
  const left = live === null ? [] : processes.filter(({ pid, env }) => !live.has(env.get("TMPM_SESSION_ID") ?? "") && isAlive(pid));
  if (left.length === 0) return [];
  const pids = left.map(({ pid }) => pid).join(" ");
  const names = [...new Set(left.map(({ env }) => env.get("TMPM_SESSION_NAME") ?? env.get("TMPM_SESSION_ID") ?? ""))].join(", ");
  return [
    warn(NAME, {
      message: `${left.length} processes of sessions that no longer run (${names}): ${pids}`,
      hint: `They may be intended, as a tmux server and the sessions in it are. To end them: kill ${pids}`,
    }),
  ];
}
