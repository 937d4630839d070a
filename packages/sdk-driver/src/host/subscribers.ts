import type { Subscription } from "@tmpm/core";

export interface Subscribers<E> {
  add(listener: (event: E) => void): Subscription;
  tell(event: E): void;
}

export function subscribers<E>(): Subscribers<E> {
  const listeners = new Set<(event: E) => void>();
  return {
    add(listener) {
      // The same function twice is two subscriptions.
      const own = (event: E) => listener(event);
      listeners.add(own);
      return { close: () => void listeners.delete(own) };
    },
    tell(event) {
      for (const listener of [...listeners]) if (listeners.has(listener)) listener(event);
    },
  };
}
