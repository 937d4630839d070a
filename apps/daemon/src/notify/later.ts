/** Runs something after a time, in ms, unless the returned function is called before. It does not keep the process alive. */
export function later(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
}
