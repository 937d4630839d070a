import type { StoreEvent, Subscription } from "./store.js";

export type Listener = (event: StoreEvent) => void;

/** Those who want to know of changes. Each hears `look` first; nobody hears anything inside the call that caused it. */
export interface Listeners {
  add(listener: Listener): Subscription;
  tell(event: StoreEvent): void;
  count(): number;
  clear(): void;
}

export function listeners(): Listeners {
  const all = new Set<(event: StoreEvent) => void>();
  return {
    add(listener) {
      const hear = (event: StoreEvent) => queueMicrotask(() => all.has(hear) && listener(event));
      all.add(hear);
      hear({ type: "look" });
      return {
        close() {
          all.delete(hear);
        },
      };
    },
    tell(event) {
      for (const hear of all) hear(event);
    },
    count: () => all.size,
    clear: () => all.clear(),
  };
}
