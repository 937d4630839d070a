import type { EventBody } from "@tmpm/core";
import type { Clock } from "./clock.js";

/** Notifies waiters inside this process of changes to a session. */
export interface Changes {
  publish(event: EventBody): void;
  /** Signals another change to waiters for this session. */
  wake(session: string): void;
  /** Listens for these sessions until closed, and passes their events on. */
  listen(ids: readonly string[], hear?: (event: EventBody) => void): Listening;
}

export interface Listening {
  /** Resolves at the next event of one of the sessions, at once after one since the last call; or after this time in ms. */
  next(ms: number): Promise<void>;
  /** Ends a pending `next`. */
  readonly ring: () => void;
  /** Idempotent. Like `ring`, permanently. */
  close(): void;
}

interface Listener {
  readonly ids: ReadonlySet<string>;
  readonly ring: () => void;
  readonly hear: (event: EventBody) => void;
}

export function changes(clock: Pick<Clock, "sleep">): Changes {
  const listeners = new Set<Listener>();
  const of = (session: string) => [...listeners].filter(({ ids }) => ids.has(session));
  return {
    wake(session) {
      for (const { ring } of of(session)) ring();
    },
    publish(event) {
      for (const { hear, ring } of event.session_id === null ? [] : of(event.session_id)) {
        hear(event);
        ring();
      }
    },
    listen(ids, hear = () => undefined) {
      let rung = false;
      let wake: () => void = () => undefined;
      const ring = () => {
        rung = true;
        wake();
      };
      const listener = { ids: new Set(ids), ring, hear };
      listeners.add(listener);
      return {
        async next(ms) {
          if (!rung) await Promise.race([clock.sleep(ms), new Promise<void>((resolve) => (wake = resolve))]);
          rung = false;
        },
        ring,
        close() {
          listeners.delete(listener);
          ring();
        },
      };
    },
  };
}
