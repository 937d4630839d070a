/** Runs the task at the first call, for all callers; after a failure, again at the next. */
export function once<T>(task: () => Promise<T>): () => Promise<T> {
  let run: Promise<T> | null = null;
  return () => {
    run ??= task().catch((error: unknown) => {
      run = null;
      throw error;
    });
    return run;
  };
}
