/** Asks for a look at one session soon. Whoever looks decides when; without one nothing happens. */
export interface Nudges {
  nudge(id: string): void;
  onNudge(listener: (id: string) => void): void;
}

export function nudges(): Nudges {
  const listeners = new Set<(id: string) => void>();
  return {
    nudge(id) {
      for (const listener of listeners) listener(id);
    },
    onNudge: (listener) => void listeners.add(listener),
  };
}
