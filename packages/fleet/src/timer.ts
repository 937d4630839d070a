/** Time as a link sees it. Each of the two that begin something returns what ends it. */
export interface Timer {
  /** Milliseconds that only grow, also over a change of the clock. */
  now(): number;
  /** Milliseconds since 1970. */
  wall(): number;
  after(ms: number, act: () => void): () => void;
  every(ms: number, act: () => void): () => void;
}

/** The machine's. Keeps no process alive. */
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
