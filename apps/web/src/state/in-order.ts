/**
 * Sends each thing after the one before has arrived, since separate requests may overtake each other; what was added meanwhile goes together. After a failure,
 * what waited is dropped: it was meant to follow. Resolves once the thing has arrived. @throws what `send` throws, once
 */
export function inOrder<T>(send: (things: readonly T[]) => Promise<void>): (thing: T) => Promise<void> {
  let waiting: T[] = [];
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const taken = waiting;
        waiting = [];
        await send(taken);
      }
    } finally {
      waiting = [];
      running = null;
    }
  }

  return (thing) => {
    waiting.push(thing);
    if (running !== null) return running.catch(() => undefined);
    running = run();
    return running;
  };
}
