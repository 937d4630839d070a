import type { PaneIdentity, TmpmError } from "@tmpm/core";
import type { ProcessTable } from "@tmpm/processes";
import type { Answer, Screen } from "../driver.js";
import type { FoundRow } from "../observe/find.js";
import type { KnownRoots } from "../observe/known-roots.js";
import type { ServerRow } from "../observe/pane-row.js";
import type { ScreenQuery } from "../observe/screens.js";
import type { Channel } from "../transport/channel.js";
import type { SocketKeeper } from "./socket-keeper.js";

/** What it takes to look at a server, whatever transport reaches it. */
export interface LookContext {
  readonly socket: string;
  readonly channel: Channel;
  readonly processes: ProcessTable;
  readonly known: KnownServer;
  readonly roots: KnownRoots;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A word that was never used before. */
  readonly nonce: () => string;
}

/** What every operation on a server needs. Looks of one turn of the event loop travel together. */
export interface ServerContext extends LookContext {
  /** One after another: what may start the server. */
  readonly starting: <T>(task: () => Promise<T>) => Promise<T>;
  readonly row: (identity: PaneIdentity) => Promise<Answer<FoundRow>>;
  /** Null where a server is left as it is. */
  readonly keeper: SocketKeeper | null;
  readonly screen: (query: ScreenQuery) => Promise<Screen | TmpmError>;
}

export type ServerProcess = Pick<ServerRow, "pid" | "start">;

/** The server generation that answered last; without it, a removed socket file would look like an ended server. */
export interface KnownServer {
  last(): ServerProcess | null;
  remember(server: ServerRow): void;
  /** One that runs and has not answered yet: as good as one that did, until one does. */
  expect(server: ServerProcess): void;
  versionOf(identity: PaneIdentity): string | null;
  /** How many panes it had when all were listed last. */
  panes(): number;
  counted(panes: number): void;
}

export function knownServer(): KnownServer {
  let last: ServerRow | null = null;
  let expected: ServerProcess | null = null;
  let panes = 0;
  return {
    last: () => last ?? expected,
    remember(server) {
      last = server;
    },
    expect(server) {
      expected = server;
    },
    versionOf: (identity) => (last !== null && isGeneration(last, identity) ? last.version : null),
    panes: () => panes,
    counted(count) {
      panes = count;
    },
  };
}

/** Pane ids begin again with every server, so an id means nothing without its server. */
export function isGeneration(server: ServerRow, identity: Pick<PaneIdentity, "server_pid" | "server_start">): boolean {
  return server.pid === identity.server_pid && server.start === identity.server_start;
}
