import type { Duplex } from "node:stream";

/** Which connections were opened by which token, so that they end with it: requests, streams of events and WebSockets alike. */
export interface Connections {
  add(tokenId: string, connection: Duplex): void;
  /** Ends the connections of a token, all but the one on which that was asked for. */
  end(tokenId: string, sparing?: Duplex): void;
  /** How a connection says why it ends, for which it has a moment; one that has nothing to say is cut at once. */
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
