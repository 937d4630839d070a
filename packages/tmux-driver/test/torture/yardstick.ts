import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { SCALE } from "./seeded.js";

const run = promisify(execFile);

/** Limits in milliseconds hold for a quiet machine; on a busy one, everything waits as long as the start of a bare process does. */
export interface Yardstick {
  /** What to allow beyond a limit: many times the longest start of a process so far. */
  allowance(): number;
  stop(): Promise<void>;
}

/** More where other tests run beside. */
const STARTS = SCALE < 10 ? 50 : 10;

export function yardstick(): Yardstick {
  let worst = 0;
  let measuring = true;
  const measure = async () => {
    while (measuring) {
      const start = performance.now();
      await run("true");
      worst = Math.max(worst, performance.now() - start);
      await sleep(100);
    }
  };
  const measured = measure();
  return {
    allowance: () => STARTS * worst,
    stop() {
      measuring = false;
      return measured;
    },
  };
}
