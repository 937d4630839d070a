import type { NatsConnection } from "@nats-io/transport-node";
import type { WireEnd } from "../wire.js";
import { type NatsAccess, natsConnection, watchRefusals } from "./connection.js";

type Refused = (subject: string, end: WireEnd) => void;

export interface HubUse {
  readonly connection: NatsConnection;
  /** The server did not deliver a message to a subject. */
  onRefused(listener: Refused): void;
  leave(): void;
}

/** One connection to a NATS server for all links that use it: open while one does. */
export interface NatsHub {
  /** @throws WireFault */
  use(): Promise<HubUse>;
}

interface Shared {
  readonly connection: Promise<NatsConnection>;
  readonly listeners: Set<Refused>;
  users: number;
}

export function natsHub(access: NatsAccess): NatsHub {
  let shared: Shared | null = null;

  function begin(): Shared {
    const listeners = new Set<Refused>();
    const connection = natsConnection(access);
    const made: Shared = { connection, listeners, users: 0 };
    const over = () => {
      if (shared === made) shared = null;
    };
    connection.then((open) => {
      void open.closed().then(over);
      void watchRefusals(open, (subject, end) => {
        for (const listener of [...listeners]) listener(subject, end);
      });
    }, over);
    return made;
  }

  return {
    async use() {
      shared ??= begin();
      const mine = shared;
      mine.users += 1;
      const own = new Set<Refused>();
      let left = false;
      const leave = () => {
        if (left) return;
        left = true;
        mine.users -= 1;
        for (const listener of own) mine.listeners.delete(listener);
        if (mine.users > 0) return;
        if (shared === mine) shared = null;
        void mine.connection.then((open) => (open.isClosed() ? undefined : open.drain()));
      };
      try {
        const connection = await mine.connection;
        return {
          connection,
          onRefused(listener) {
            own.add(listener);
            mine.listeners.add(listener);
          },
          leave,
        };
      } catch (error) {
        left = true;
        throw error;
      }
    },
  };
}
