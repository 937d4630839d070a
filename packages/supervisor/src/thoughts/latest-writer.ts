/** How far the writer is behind. */
export interface Backlog {
  /** Values that wait to be written, the one under way included. */
  readonly pending: number;
  /** Values that a newer one of the same key replaced before they were written. */
  readonly coalesced: number;
  /** The last write failed; what failed waits for the next one. */
  readonly degraded: boolean;
}

/** Writes the latest value of each key, one write at a time: when values come faster than they can be written, older ones of a key give way, and none is dropped. */
export interface LatestWriter<T> {
  put(key: string, value: T): void;
  backlog(): Backlog;
  /** Resolves when nothing waits any more, or what waits has just failed. */
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
