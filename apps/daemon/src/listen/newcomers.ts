import type { Duplex } from "node:stream";

/** Connections without an admitted request yet. When there are too many, the oldest is closed, because clients with a token send a request at once. */
export interface Newcomers {
  came(connection: Duplex): void;
  known(connection: Duplex): void;
}

export function newcomers(max: number): Newcomers {
  const waiting = new Set<Duplex>();
  return {
    came(connection) {
      waiting.add(connection);
      connection.once("close", () => waiting.delete(connection));
      const [oldest] = waiting;
      if (waiting.size > max && oldest !== undefined) oldest.destroy();
    },
    known: (connection) => void waiting.delete(connection),
  };
}
