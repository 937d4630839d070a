/** Runs the tasks of one key one after the other, in the order they came; tasks of different keys do not wait for each other. */
export interface KeyedQueue {
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
  /** Resolves when every task that was accepted has ended. */
  idle(): Promise<void>;
}

export function keyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(key, task) {
      const result = (tails.get(key) ?? Promise.resolve()).then(task);
      const tail = result.then(ignore, ignore).then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      tails.set(key, tail);
      return result;
    },
    async idle() {
      await Promise.all(tails.values());
    },
  };
}

/** The caller of the task has its outcome; the next task needs only to know that it ended. */
function ignore(): void {}
