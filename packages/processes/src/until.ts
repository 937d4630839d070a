import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** The first pause, in ms; each later one is twice as long. Most conditions take milliseconds. */
const FIRST_MS = 2;

/** Polls, at most `everyMs` apart, until the answer is true, and returns whether it became true in time. Always polls at least once. */
export async function until(
  probe: () => Promise<boolean>,
  limit: { readonly withinMs: number; readonly everyMs: number },
): Promise<boolean> {
  const deadline = performance.now() + limit.withinMs;
  for (let pause = FIRST_MS; ; pause *= 2) {
    if (await probe()) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(pause, limit.everyMs, left));
  }
}
