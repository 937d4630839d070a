/** The clock of a link. Both methods that start something return a function that stops it. */
export interface Timer {
  /** Monotonic milliseconds, independent of changes of the clock. */
  now(): number;
  /** Milliseconds since 1970. */
  wall(): number;
  after(ms: number, act: () => void): () => void;
  every(ms: number, act: () => void): () => void;
}

/** The machine's clock. Keeps no process alive. */
export const systemTimer: Timer = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  every(ms, act) {
    const timer = setInterval(act, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
