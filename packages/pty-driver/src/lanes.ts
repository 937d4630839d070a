/** Runs tasks of one key one after the other, in the order of the calls; what one of them throws is its caller's alone. */
export interface Lanes {
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
}

export function lanes(): Lanes {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(key, task) {
      const result = (last.get(key) ?? Promise.resolve()).then(task);
      const settled = result.then(
        () => undefined,
        () => undefined,
      );
      last.set(key, settled);
      void settled.then(() => last.get(key) === settled && last.delete(key));
      return result;
    },
  };
}
