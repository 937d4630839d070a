import { type Client, client, type Terminal } from "@tmpm/api/client";
import { currentLocation, currentTransport, daemonUrl, hasNodes, type Location } from "@tmpm/api/local";
import { startingTransport } from "./daemon/starting-transport.js";
import { nodeTransport } from "./fleet/node-client.js";
import type { PrintedBy } from "./printed.js";
import type { TerminalView } from "./render/terminal-view.js";

/** A line of output for people, and its `--json` form. */
export interface Line {
  readonly text: string;
  readonly json: string;
}

/** A command's interface to its process. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The environment, completed from the configuration file. @throws CONFIG_INVALID, UNSAFE_PATH */
  readonly settled: () => Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly commands: () => Promise<readonly PrintedBy[]>;
  /** The caller reads JSON, so nothing may take over the terminal. */
  readonly json: boolean;
  /** Prints a line now instead of at the command's end; false once the reader is gone. */
  readonly print: (line: Line) => boolean;
  /** Writes bytes to standard output now, as they are; false once the reader is gone. */
  readonly write: (bytes: Uint8Array) => boolean;
  /** The view for lines printed now. */
  readonly view: () => Promise<View>;
  /** The locations of this user's tmpm. @throws SOCKET_PATH_TOO_LONG */
  readonly location: () => Location;
  /** The target machine; null for this one. */
  readonly node: string | null;
  /** The same for another machine. */
  readonly at: (node: string | null, signal?: AbortSignal) => Context;
  /** Cancels requests whose result is no longer needed. */
  readonly signal?: AbortSignal;
  /** Whether other machines' sessions are listed too. */
  readonly hasNodes: () => boolean;
  /** The daemon, started if needed; another version is an error, except on a node. */
  readonly client: () => Client;
  /** The daemon as found: never started, of any version. */
  readonly observer: () => Client;
  /** Follows a session's terminal through restarts of a running daemon. */
  readonly terminal: (session: string) => Promise<Terminal>;
}

/** A rendering's inputs besides the result. */
export interface View {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The user's home folder, to shorten paths; null if unknown. */
  readonly userHome: string | null;
  /** How the text is displayed; as in a pipe by default. */
  readonly terminal?: TerminalView;
}

type Given = Pick<Context, "env" | "settled" | "version" | "commands" | "json" | "print" | "write" | "view"> &
  Partial<Pick<Context, "node" | "signal">>;

export function context(given: Given): Context {
  const { env, settled, version, commands, json, print, write, view, node = null } = given;
  const location = () => currentLocation(settled());
  const starting = (place: Location) => async () => {
    const { startDaemonAsBefore } = await import("./daemon/daemon-process.js");
    const { withProgram } = await import("./daemon/daemon-program.js");
    await startDaemonAsBefore({ env: withProgram({ env, settled }), location: place });
  };
  const atNode = (label: string) => nodeTransport({ location: location(), label, start: starting(location()) });
  const asItIs = (label: string) => nodeTransport({ location: location(), label, start: null });
  return {
    env,
    settled,
    version,
    commands,
    json,
    print,
    write,
    view,
    location,
    node,
    at: (other, signal) => context({ ...given, node: other, ...(signal === undefined ? {} : { signal }) }),
    ...(given.signal === undefined ? {} : { signal: given.signal }),
    hasNodes: () => node === null && env.TMPM_AS_SESSION !== "1" && daemonUrl(settled()) === null && hasNodes(location()),
    client: () => {
      if (node !== null) return client({ transport: atNode(node) });
      // Another machine's daemon, or one reached over TCP, is not started from here.
      if (daemonUrl(settled()) !== null) return client({ transport: currentTransport(settled()), version });
      const place = location();
      return client({ transport: startingTransport(currentTransport(settled()), starting(place)), version });
    },
    observer: () => client({ transport: node === null ? currentTransport(settled()) : asItIs(node) }),
    terminal: async (session) => {
      const { openTerminal } = await import("@tmpm/api/client");
      return node === null ? openTerminal(currentTransport(settled()), { session, version }) : openTerminal(atNode(node), { session });
    },
  };
}
