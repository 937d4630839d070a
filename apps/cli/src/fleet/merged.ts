/** What several generators have to say, as it comes. Leaving the loop leaves all of them; the failure of one is the failure of all. */
export async function* merged<T>(sources: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  const next = (source: AsyncGenerator<T>) => source.next().then((result) => ({ source, result }));
  const waiting = new Map(sources.map((source) => [source, next(source)]));
  try {
    while (waiting.size > 0) {
      const { source, result } = await Promise.race(waiting.values());
      if (result.done === true) {
        waiting.delete(source);
        continue;
      }
      waiting.set(source, next(source));
      yield result.value;
    }
  } finally {
    // One that waits for its next value ends once it has it, or is aborted.
    for (const [source, pending] of waiting) {
      pending.catch(() => undefined);
      void source.return(undefined);
    }
  }
}
