/** Runs tasks of one session in order, tasks of different sessions side by side. */
export interface SessionQueue {
  run<T>(id: string, task: () => Promise<T>): Promise<T>;
  /** A task of this session is running or waiting. */
  busy(id: string): boolean;
  /** Resolves when no task is left. */
  idle(): Promise<void>;
}

export function sessionQueue(): SessionQueue {
  const tails = new Map<string, Promise<unknown>>();

  function run<T>(id: string, task: () => Promise<T>): Promise<T> {
    const result = (tails.get(id) ?? Promise.resolve()).then(task);
    // The tail only orders; each caller receives its own task's failure.
    const tail = result
      .catch(() => undefined)
      .then(() => {
        if (tails.get(id) === tail) tails.delete(id);
      });
    tails.set(id, tail);
    return result;
  }

  return {
    run,
    busy: (id) => tails.has(id),
    async idle() {
      while (tails.size > 0) await Promise.all(tails.values());
    },
  };
}
