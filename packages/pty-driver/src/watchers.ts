import type { ServerEvent, Subscription } from "@tmpm/core";

/** Subscribers to changes. */
export interface Watchers {
  /** The first event, `look`, comes at once. */
  add(listener: (event: ServerEvent) => void): Subscription;
  tell(event: ServerEvent): void;
}

export function watchers(): Watchers {
  const listeners = new Set<(event: ServerEvent) => void>();
  return {
    add(listener) {
      const one = (event: ServerEvent) => listener(event);
      listeners.add(one);
      queueMicrotask(() => listeners.has(one) && one({ type: "look" }));
      return { close: () => void listeners.delete(one) };
    },
    tell(event) {
      for (const listener of [...listeners]) if (listeners.has(listener)) listener(event);
    },
  };
}
