/** Runs tasks of one key in call order; tasks of different keys run concurrently. */
export interface KeyedQueue {
  /** Settles like the task. A failed task does not block the next. */
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
  /** Whether a task of this key is running or waiting. */
  busy(key: string): boolean;
  /** Resolves when no task is left. */
  idle(): Promise<void>;
}

export function keyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(key, task) {
      const result = (tails.get(key) ?? Promise.resolve()).then(task);
      // The tail only orders; each caller receives its own task's failure.
      const tail = result
        .catch(() => undefined)
        .then(() => {
          if (tails.get(key) === tail) tails.delete(key);
        });
      tails.set(key, tail);
      return result;
    },
    busy: (key) => tails.has(key),
    async idle() {
      while (tails.size > 0) await Promise.all(tails.values());
    },
  };
}
