/** Background work, at most one task for each key. */
export interface InFlight {
  /** Starts the task, unless one with the same key is running. */
  begin(key: string, task: () => Promise<unknown>): void;
  has(key: string): boolean;
  /** Resolves when no task is running. */
  idle(): Promise<void>;
}

/** `failed` is called with every failure. */
export function inFlight(failed: (fault: { readonly key: string; readonly error: unknown }) => void): InFlight {
  const running = new Map<string, Promise<void>>();
  return {
    begin(key, task) {
      if (running.has(key)) return;
      const done = task()
        .catch((error: unknown) => failed({ key, error }))
        .then(() => void running.delete(key));
      running.set(key, done);
    },
    has: (key) => running.has(key),
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
