import { isAbsolute, join, resolve } from "node:path";
import { fitsSocket, requireSocketPath } from "@tmpm/core/socket-path";
import { type FileFacts, faultOf } from "./private-dir.js";

/** The paths of one user's tmpm. All are absolute. */
export interface Location {
  /** Records, journals and logs. */
  readonly home: string;
  /** The daemon's unix socket; its folder must be private. */
  readonly socket: string;
  readonly log: string;
  /** tmpm's own tmux server: a socket path if it contains `/`, else a name for `tmux -L`. */
  readonly tmuxSocket: string;
}

/** The environment that a location depends on. */
export interface LocationFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
  /** The user's home folder according to the system, for an environment without `HOME`. */
  readonly userHome: () => string;
  /** The entry at a path, without following links; null if there is none. */
  readonly lstat: (path: string) => FileFacts | null;
}

/** Resolves the location (DESIGN 8, reliability C1); the same for the daemon and its clients. @throws SOCKET_PATH_TOO_LONG */
export function locate(facts: LocationFacts): Location {
  const home = stateFolder(facts);
  return {
    home,
    socket: daemonSocket(facts, home),
    log: join(home, "daemon.log"),
    tmuxSocket: tmuxSocket(facts, home),
  };
}

function stateFolder({ env, userHome }: LocationFacts): string {
  const own = setting(env, "TMPM_HOME");
  if (own !== null) return resolve(own);
  const state = absolute(env, "XDG_STATE_HOME") ?? join(absolute(env, "HOME") ?? userHome(), ".local", "state");
  return join(state, "tmpm");
}

function daemonSocket(facts: LocationFacts, home: string): string {
  const { env, uid } = facts;
  const chosen = setting(env, "TMPM_SOCKET");
  if (chosen !== null) return short(resolve(chosen));
  if (setting(env, "TMPM_HOME") !== null) return short(join(home, "run", "tmpm.sock"));
  const runtime = absolute(env, "XDG_RUNTIME_DIR");
  const parents = [...(runtime === null ? [] : [runtime]), join("/run/user", String(uid))];
  const folders = parents.filter((parent) => isUsable(facts, parent)).map((parent) => join(parent, "tmpm"));
  if (isUsable(facts, home) || facts.lstat(home) === null) folders.push(join(home, "run"));
  return folders.map((folder) => join(folder, "tmpm.sock")).find(fitsSocket) ?? `/tmp/tmpm-${uid}/tmpm.sock`;
}

function tmuxSocket({ env }: LocationFacts, home: string): string {
  const chosen = setting(env, "TMPM_TMUX_SOCKET");
  if (chosen !== null) return chosen.includes("/") ? short(resolve(chosen)) : chosen;
  return setting(env, "TMPM_HOME") === null ? "tmpm" : short(join(home, "run", "tmux.sock"));
}

function isUsable({ lstat, uid }: LocationFacts, path: string): boolean {
  const facts = lstat(path);
  return facts !== null && faultOf(facts, uid) === null;
}

function setting(env: LocationFacts["env"], name: string): string | null {
  const value = env[name];
  return value === undefined || value === "" ? null : value;
}

/** The base directory specification requires relative paths to be ignored. */
function absolute(env: LocationFacts["env"], name: string): string | null {
  const value = setting(env, name);
  return value !== null && isAbsolute(value) ? value : null;
}

function short(path: string): string {
  return requireSocketPath(path, "Choose a shorter folder with TMPM_HOME, or a shorter path with TMPM_SOCKET or TMPM_TMUX_SOCKET.");
}
