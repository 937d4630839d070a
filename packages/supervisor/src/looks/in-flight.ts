/** Work without a waiting caller, at most one piece for each key. */
export interface InFlight {
  /** Begins the task, unless one of the same key is under way. */
  begin(key: string, task: () => Promise<unknown>): void;
  has(key: string): boolean;
  /** Resolves when nothing is under way. */
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
