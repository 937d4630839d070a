import type { PaneIdentity } from "@tmpm/core";
import type { Channel } from "./channel.js";
import type { KnownRoots } from "./known-roots.js";
import type { ServerRow } from "./pane-row.js";
import type { ProcessTable } from "./process-table.js";

/** What every operation on a server needs, whatever transport reaches it. */
export interface ServerContext {
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

/** The server generation that answered last; without it, a removed socket file would look like an ended server. */
export interface KnownServer {
  last(): ServerRow | null;
  remember(server: ServerRow): void;
  versionOf(identity: PaneIdentity): string | null;
}

export function knownServer(): KnownServer {
  let last: ServerRow | null = null;
  return {
    last: () => last,
    remember(server) {
      last = server;
    },
    versionOf: (identity) => (last !== null && isGeneration(last, identity) ? last.version : null),
  };
}

/** Pane ids begin again with every server, so an id means nothing without its server. */
export function isGeneration(server: ServerRow, identity: PaneIdentity): boolean {
  return server.pid === identity.server_pid && server.start === identity.server_start;
}
