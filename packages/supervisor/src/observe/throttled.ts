import type { Clock } from "../clock.js";

export interface ThrottledOptions {
  readonly everyMs: number;
  readonly clock: Pick<Clock, "now" | "sleep">;
}

/** Runs a task at the first call at once; calls within an interval after a run share one run at its end. */
export function throttled(task: () => void, { everyMs, clock }: ThrottledOptions): () => void {
  let ranMs = Number.NEGATIVE_INFINITY;
  let isDue = false;

  function run(): void {
    ranMs = clock.now();
    task();
  }

  return () => {
    if (isDue) return;
    // At most an interval, also after the clock was set back.
    const waitMs = Math.min(everyMs, ranMs + everyMs - clock.now());
    if (waitMs <= 0) {
      run();
      return;
    }
    isDue = true;
    void clock.sleep(waitMs).then(() => {
      isDue = false;
      run();
    });
  };
}
