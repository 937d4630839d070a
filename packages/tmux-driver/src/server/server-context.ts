import { type PaneIdentity, shortageOf, type TmpmError } from "@tmpm/core";
import { type ProcessTable, processEnded } from "@tmpm/processes";
import type { Answer, Screen } from "../driver.js";
import type { FoundRow } from "../observe/find.js";
import type { KnownRoots } from "../observe/known-roots.js";
import type { ServerRow } from "../observe/pane-row.js";
import type { ScreenQuery } from "../observe/screens.js";
import type { Channel } from "../transport/channel.js";
import type { SocketKeeper } from "./socket-keeper.js";

/** Dependencies for querying a server over any transport. */
export interface ObserveContext {
  readonly socket: string;
  readonly channel: Channel;
  readonly processes: ProcessTable;
  readonly known: KnownServer;
  readonly roots: KnownRoots;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A unique word. */
  readonly nonce: () => string;
}

/** Dependencies of every operation on a server. Queries of one turn of the event loop share a request. */
export interface ServerContext extends ObserveContext {
  /** Serializes operations that may start the server. */
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
  /** A running server that has not answered yet: counts as one that did, until one does. */
  expect(server: ServerProcess): void;
  versionOf(identity: PaneIdentity): string | null;
  /** The `ProcessInfo.start` of the server's process, if that server has answered; null if unknown. */
  exactStart(server: ServerProcess): string | null;
  /** Number of its panes at the last full listing. */
  panes(): number;
  counted(panes: number): void;
}

export function knownServer(table: Pick<ProcessTable, "some">): KnownServer {
  let last: ServerRow | null = null;
  let exact: { readonly of: ServerProcess; readonly start: string } | null = null;
  let expected: ServerProcess | null = null;
  let lookingUp: ServerProcess | null = null;
  let panes = 0;

  const exactStart = (server: ServerProcess) => (exact !== null && isSame(exact.of, server) ? exact.start : null);

  /** A server that has just answered is the process with its pid. */
  async function learn(server: ServerProcess): Promise<void> {
    if (lookingUp !== null && isSame(lookingUp, server)) return;
    lookingUp = server;
    try {
      const start = (await table.some([server.pid])).get(server.pid)?.start;
      if (start !== undefined) exact = { of: server, start };
    } catch (error) {
      if (shortageOf(error) === null) throw error;
    } finally {
      // Without a start, the next answer tries again.
      if (lookingUp === server) lookingUp = null;
    }
  }

  return {
    last: () => last ?? expected,
    remember(server) {
      last = server;
      if (exactStart(server) === null) void learn(server);
    },
    exactStart,
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

/** Proof that the server has ended, also after the clock was set if it has answered before. */
export function serverEnded({ processes, known }: Pick<ObserveContext, "processes" | "known">, server: ServerProcess): Promise<boolean> {
  return processEnded(processes, { ...server, exactStart: known.exactStart(server) });
}

function isSame(one: ServerProcess, other: ServerProcess): boolean {
  return one.pid === other.pid && one.start === other.start;
}

/** Pane ids restart with every server, so an id is meaningless without its server. */
export function isGeneration(server: ServerRow, identity: Pick<PaneIdentity, "server_pid" | "server_start">): boolean {
  return server.pid === identity.server_pid && server.start === identity.server_start;
}
