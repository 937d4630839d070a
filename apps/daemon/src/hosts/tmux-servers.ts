import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Location } from "@tmpm/api/local";
import { oneShotDriver, type SocketChoice, type TmuxDriver, tmuxDriver } from "@tmpm/tmux-driver";

/** The drivers of the daemon's known tmux servers. */
export interface TmuxServers {
  readonly own: TmuxDriver;
  readonly observer: TmuxDriver;
  /** The tag of this home's panes. */
  readonly homeTag: string;
  /** The driver of the server at a socket: a path, or a name in tmux's folder. @throws INVALID_ARGUMENT, SOCKET_PATH_TOO_LONG */
  foreign(socket: string): TmuxDriver;
  close(): Promise<void>;
}

export function tmuxServers({ location, env }: { readonly location: Location; readonly env: NodeJS.ProcessEnv }): TmuxServers {
  const common = { stateDir: join(location.home, "tmux"), env, home: tagOf(location.home) };
  const ownSocket = socketChoice(location.tmuxSocket);
  const own = tmuxDriver({ ...common, socket: ownSocket, keepsSocket: true, userConfig: env.TMPM_TMUX_CONFIG === "all" ? "all" : "keys" });
  const observer = oneShotDriver({ ...common, socket: ownSocket });
  const others = new Map<string, TmuxDriver>();
  return {
    own,
    observer,
    homeTag: common.home,
    foreign(socket) {
      const driver = others.get(socket) ?? oneShotDriver({ ...common, socket: socketChoice(socket) });
      others.set(socket, driver);
      return driver;
    },
    async close() {
      await Promise.all([own, observer, ...others.values()].map((driver) => driver.close()));
    },
  };
}

function socketChoice(socket: string): SocketChoice {
  return socket.includes("/") ? { path: socket } : { name: socket };
}

/** Hashed: a tmux option must not contain a path, and a recreated folder is still the same home. */
function tagOf(home: string): string {
  return createHash("sha256").update(home).digest("hex").slice(0, 16);
}
