import type { Duplex } from "node:stream";

/** The connections of each token, which end with it: requests, event streams and WebSockets. */
export interface Connections {
  add(tokenId: string, connection: Duplex): void;
  /** Ends a token's connections, except the requesting one. */
  end(tokenId: string, sparing?: Duplex): void;
  /** Sends the reason before the connection ends, within a short grace; without it the connection is cut at once. */
  beforeEnd(connection: Duplex, say: () => void): void;
  tokens(): readonly string[];
}

const MOMENT_MS = 500;

export function connections(): Connections {
  const open = new Map<string, Set<Duplex>>();
  const farewells = new WeakMap<Duplex, () => void>();

  function endOne(connection: Duplex): void {
    const say = farewells.get(connection);
    say?.();
    if (say === undefined) connection.destroy();
    else setTimeout(() => connection.destroy(), MOMENT_MS).unref();
  }

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
      for (const connection of open.get(tokenId) ?? []) if (connection !== sparing) endOne(connection);
    },
    beforeEnd: (connection, say) => void farewells.set(connection, say),
    tokens: () => [...open.keys()],
  };
}
