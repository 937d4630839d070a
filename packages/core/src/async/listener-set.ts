import type { Subscription } from "../session/terminal.js";

export interface ListenerSet<E> {
  /** Adding a function twice makes two subscriptions. A `first` event is delivered in a microtask, unless the subscription is closed by then. */
  add(listener: (event: E) => void, first?: E): Subscription;
  /** Listeners removed during a call are not called. */
  notify(event: E): void;
  count(): number;
  clear(): void;
}

/** With `later`, every event is delivered in a microtask, so no listener runs inside the call that caused the event. */
export function listenerSet<E>({ later = false }: { readonly later?: boolean } = {}): ListenerSet<E> {
  const all = new Set<(event: E) => void>();
  return {
    add(listener, first) {
      const deliver = (event: E) => {
        if (all.has(deliver)) listener(event);
      };
      all.add(deliver);
      if (first !== undefined) queueMicrotask(() => deliver(first));
      return { close: () => void all.delete(deliver) };
    },
    notify(event) {
      for (const deliver of [...all]) {
        if (later) queueMicrotask(() => deliver(event));
        else deliver(event);
      }
    },
    count: () => all.size,
    clear: () => all.clear(),
  };
}
