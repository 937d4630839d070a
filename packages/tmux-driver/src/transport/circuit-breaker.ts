/** Number of timeouts in a row after which the server counts as stopped. */
const THRESHOLD = 3;
const PROBE_EVERY_MS = 5000;

export interface CircuitBreaker {
  /** Whether a call may go to the server now. While it counts as stopped, one in five seconds may. */
  admits(): boolean;
  answered(): void;
  timedOut(): void;
}

/** Prevents clients of a stopped server from piling up. `now` is monotonic, in milliseconds. */
export function circuitBreaker(now: () => number): CircuitBreaker {
  let timeouts = 0;
  let nextProbe = 0;
  return {
    admits() {
      if (timeouts < THRESHOLD) return true;
      if (now() < nextProbe) return false;
      nextProbe = now() + PROBE_EVERY_MS;
      return true;
    },
    answered() {
      timeouts = 0;
    },
    timedOut() {
      timeouts += 1;
      if (timeouts === THRESHOLD) nextProbe = now() + PROBE_EVERY_MS;
    },
  };
}
