/** Runs the task at the first call, and again only after it failed; everybody else waits for the run that is under way or has their answer from it. */
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
