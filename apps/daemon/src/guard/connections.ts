import type { Duplex } from "node:stream";

/** Which connections were opened by which token, so that they end with it: requests, streams of events and WebSockets alike. */
export interface Connections {
  add(tokenId: string, connection: Duplex): void;
  /** Ends the connections of a token, all but the one on which that was asked for. */
  end(tokenId: string, sparing?: Duplex): void;
  tokens(): readonly string[];
}

export function connections(): Connections {
  const open = new Map<string, Set<Duplex>>();
  return {
    add(tokenId, connection) {
      const known = open.get(tokenId) ?? new Set();
      if (known.has(connection) || connection.destroyed) return;
      open.set(tokenId, known.add(connection));
      connection.once("close", () => {
        known.delete(connection);
        if (known.size === 0 && open.get(tokenId) === known) open.delete(tokenId);
      });
    },
    end(tokenId, sparing) {
      for (const connection of open.get(tokenId) ?? []) if (connection !== sparing) connection.destroy();
    },
    tokens: () => [...open.keys()],
  };
}
