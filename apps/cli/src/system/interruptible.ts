const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs work that cleans up after itself. A signal that ends this process aborts the work first, and ends the process once the work has
 * ended; a second one ends it at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const received: NodeJS.Signals[] = [];
  const onSignal = (signal: NodeJS.Signals) => {
    received.push(signal);
    ignore();
    over.abort();
  };
  const ignore = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work(over.signal);
  } finally {
    ignore();
    const [signal] = received;
    if (signal !== undefined) {
      process.kill(process.pid, signal);
      await new Promise(() => undefined);
    }
  }
}
