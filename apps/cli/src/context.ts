import { type Client, client, type Terminal } from "@tmpm/api/client";
import { currentLocation, currentTransport, daemonUrl, type Location } from "@tmpm/api/local";
import { startingTransport } from "./daemon/starting-transport.js";
import type { TerminalView } from "./render/terminal-view.js";

/** A line of output for people, and what stands for it under `--json`. */
export interface Line {
  readonly text: string;
  readonly json: string;
}

/** What commands get from the process around them. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The environment with what the configuration file says put in where it says nothing. @throws CONFIG_INVALID, UNSAFE_PATH */
  readonly settled: () => Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** What every command is called. */
  readonly verbs: readonly string[];
  /** The caller reads JSON, so nothing may take over the terminal. */
  readonly json: boolean;
  /** Prints a line now, where a command's result would be printed at its end; false when nobody reads any more. */
  readonly tell: (line: Line) => boolean;
  /** How what is printed now is shown. */
  readonly view: () => Promise<View>;
  /** Where this user's tmpm keeps its things. @throws SOCKET_PATH_TOO_LONG */
  readonly location: () => Location;
  /** The daemon, started when it does not run; one of another version is an error. */
  readonly client: () => Client;
  /** The daemon as it is: never started, and of whatever version. */
  readonly observer: () => Client;
  /** Follows a session's terminal, through restarts of a daemon that is there. */
  readonly terminal: (session: string) => Promise<Terminal>;
}

/** What a rendering depends on besides the result. */
export interface View {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The user's home folder, to shorten paths; null when not known. */
  readonly userHome: string | null;
  /** How the text is shown; a pipe when not given. */
  readonly terminal?: TerminalView;
}

type Given = Pick<Context, "env" | "settled" | "version" | "verbs" | "json" | "tell" | "view">;

export function context({ env, settled, version, verbs, json, tell, view }: Given): Context {
  const location = () => currentLocation(settled());
  return {
    env,
    settled,
    version,
    verbs,
    json,
    tell,
    view,
    location,
    client: () => {
      // Another machine's daemon, or one that was asked to listen, is not started from here.
      if (daemonUrl(settled()) !== null) return client({ transport: currentTransport(settled()), version });
      const place = location();
      const start = async () => {
        const { startDaemonAsBefore } = await import("./daemon/daemon-process.js");
        await startDaemonAsBefore({ env, location: place });
      };
      return client({ transport: startingTransport(currentTransport(settled()), start), version });
    },
    observer: () => client({ transport: currentTransport(settled()) }),
    terminal: async (session) => {
      const { openTerminal } = await import("@tmpm/api/client");
      return openTerminal(currentTransport(settled()), { session, version });
    },
  };
}
