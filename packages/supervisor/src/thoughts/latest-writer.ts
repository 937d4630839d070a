/** The writer's backlog. */
export interface Backlog {
  /** Number of values waiting to be written, including the one under way. */
  readonly pending: number;
  /** Number of values replaced by a newer one of the same key before they were written. */
  readonly coalesced: number;
  /** Whether the last write failed; it is retried with the next one. */
  readonly degraded: boolean;
}

/**
 * Writes the latest value of each key, one write at a time: if values come faster than they are written, older ones of a key are replaced,
 * and no key is dropped.
 */
export interface LatestWriter<T> {
  put(key: string, value: T): void;
  backlog(): Backlog;
  /** Resolves when nothing is waiting, or the last write has just failed. */
  drained(): Promise<void>;
}

export interface WriterOptions<T> {
  readonly write: (key: string, value: T) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

export function latestWriter<T>({ write, failed }: WriterOptions<T>): LatestWriter<T> {
  const waiting = new Map<string, T>();
  let coalesced = 0;
  let degraded = false;
  let working: Promise<void> | null = null;

  async function work(): Promise<void> {
    for (const [key, value] of waiting) {
      try {
        await write(key, value);
      } catch (error) {
        degraded = true;
        failed(error);
        return;
      }
      degraded = false;
      if (waiting.get(key) === value) waiting.delete(key);
    }
  }

  function start(): void {
    working ??= work().finally(() => {
      working = null;
      if (waiting.size > 0 && !degraded) start();
    });
  }

  return {
    put(key, value) {
      if (waiting.has(key)) coalesced += 1;
      waiting.set(key, value);
      start();
    },
    backlog: () => ({ pending: waiting.size, coalesced, degraded }),
    async drained() {
      if (waiting.size > 0) start();
      while (working !== null) await working;
    },
  };
}
