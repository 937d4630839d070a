/** The longest delay of timers; a longer one expires at once. */
const MOST_MS = 2 ** 31 - 1;

/** A request's time limit as the delay of a timer: whole ms, at most 24.8 days. */
export function timerMs(limitMs: number): number {
  return Math.min(Math.ceil(limitMs), MOST_MS);
}
