import type { Socket } from "node:net";

/** Connections without a proven caller yet. When there are too many, the oldest is closed: clients with a token send a request at once. */
export interface Newcomers {
  came(connection: Socket): void;
  /** With TLS, the encrypted connection stands for the one it runs on. */
  known(connection: Socket): void;
}

export function newcomers(max: number): Newcomers {
  const waiting = new Map<string, Socket>();
  return {
    came(connection) {
      const peer = peerOf(connection);
      waiting.set(peer, connection);
      connection.once("close", () => {
        if (waiting.get(peer) === connection) waiting.delete(peer);
      });
      const [oldest] = waiting.values();
      if (waiting.size > max && oldest !== undefined) oldest.destroy();
    },
    known: (connection) => void waiting.delete(peerOf(connection)),
  };
}

/** Unique among the open connections of a port. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
