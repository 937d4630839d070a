/** Runs the task at the first call, and again only after a failure; other callers share the running or completed one. */
export function onceDone<T>(task: () => Promise<T>): () => Promise<T> {
  let run: Promise<T> | null = null;
  return () => {
    run ??= task().catch((error: unknown) => {
      run = null;
      throw error;
    });
    return run;
  };
}
