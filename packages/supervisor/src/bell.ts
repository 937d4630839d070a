/** Rung when something happened that the background look should see soon. */
export interface Bell {
  ring(): void;
  onRing(listener: () => void): void;
}

export function bell(): Bell {
  const listeners = new Set<() => void>();
  return {
    ring() {
      for (const listener of listeners) listener();
    },
    onRing: (listener) => void listeners.add(listener),
  };
}
