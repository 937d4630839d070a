/** The keys with a running task; any number of tasks of one key run concurrently. */
export interface RunningTasks {
  /** Settles like the task. */
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
  isRunning(key: string): boolean;
}

export function runningTasks(): RunningTasks {
  const counts = new Map<string, number>();
  return {
    async run(key, task) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      try {
        return await task();
      } finally {
        const left = (counts.get(key) ?? 1) - 1;
        if (left === 0) counts.delete(key);
        else counts.set(key, left);
      }
    },
    isRunning: (key) => counts.has(key),
  };
}
