/** Events buffered for a single reader. */
export interface EventQueue<T> {
  push(event: T, bytes?: number): void;
  /** Number of buffered bytes. */
  waiting(): number;
  /** The reader gets the buffered events, then the end or the error. Idempotent. */
  end(error?: unknown): void;
  /** The next event; null at the end. */
  next(): Promise<T | null>;
}

export function eventQueue<T>(): EventQueue<T> {
  let events: { readonly event: T; readonly bytes: number }[] = [];
  let taken = 0;
  let waiting = 0;
  let ended: { readonly error: unknown } | null = null;
  let wake: () => void = () => undefined;

  function shift(): T | null {
    const first = events[taken];
    if (first === undefined) return null;
    taken += 1;
    if (taken > 1024 && taken * 2 > events.length) {
      events = events.slice(taken);
      taken = 0;
    }
    waiting -= first.bytes;
    return first.event;
  }

  return {
    push(event, bytes = 0) {
      if (ended !== null) return;
      events.push({ event, bytes });
      waiting += bytes;
      wake();
    },
    waiting: () => waiting,
    end(error) {
      ended ??= { error };
      wake();
    },
    async next() {
      for (;;) {
        const event = shift();
        if (event !== null) return event;
        if (ended !== null) {
          if (ended.error !== undefined) throw ended.error;
          return null;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
