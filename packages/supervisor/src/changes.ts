import type { EventBody } from "@tmpm/core";
import type { Clock } from "./clock.js";

/** Tells those who wait inside this process that something happened to a session. */
export interface Changes {
  publish(event: EventBody): void;
  /** Something else changed for those who wait for this session. */
  wake(session: string): void;
  /** Listens for these sessions until closed. */
  listen(ids: readonly string[]): Listening;
}

export interface Listening {
  /** Resolves at the next event of one of the sessions, at once when there was one since the last call; or after so many ms. */
  next(ms: number): Promise<void>;
  /** Ends a `next` that waits. */
  readonly ring: () => void;
  /** Idempotent. As `ring`, and for good. */
  close(): void;
}

interface Listener {
  readonly ids: ReadonlySet<string>;
  readonly ring: () => void;
}

export function changes(clock: Pick<Clock, "sleep">): Changes {
  const listeners = new Set<Listener>();
  const wake = (session: string) => {
    for (const { ids, ring } of listeners) if (ids.has(session)) ring();
  };
  return {
    wake,
    publish(event) {
      if (event.session_id !== null) wake(event.session_id);
    },
    listen(ids) {
      let rung = false;
      let wake: () => void = () => undefined;
      const ring = () => {
        rung = true;
        wake();
      };
      const listener = { ids: new Set(ids), ring };
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
