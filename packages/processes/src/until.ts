import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** Asks again and again until the answer is true, and reports whether it became so in time. Always asks once. */
export async function until(
  probe: () => Promise<boolean>,
  limit: { readonly withinMs: number; readonly everyMs: number },
): Promise<boolean> {
  const deadline = performance.now() + limit.withinMs;
  for (;;) {
    if (await probe()) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(limit.everyMs, left));
  }
}
