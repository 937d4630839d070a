/** One run of the task for all callers in one turn of the event loop. It starts after their calls, so no caller gets an older state. */
export function sharedTurn<T>(task: () => T | Promise<T>): () => Promise<T> {
  let next: Promise<T> | null = null;
  return () => {
    next ??= new Promise<T>((resolve, reject) => {
      setImmediate(() => {
        next = null;
        try {
          resolve(task());
        } catch (error) {
          reject(error);
        }
      });
    });
    return next;
  };
}
