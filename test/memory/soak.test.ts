import { expect, test } from "vitest";
import { eventually } from "../fixture.js";
import { type Memory, soak } from "./cycles.js";

const SCALE = Number(process.env.TMPM_TEST_SCALE ?? 1);
const CYCLES = 60 * SCALE;
/** Permitted growth of the heap per cycle, in bytes. A signal that was never detached left more than 20 KB. */
const MOST_BYTES = 1_024;
/** Maximum number of blocks of cycles until one-time allocations are done. */
const BLOCKS = 10;
/** A block in which much memory was freed proves nothing: it hides leaks. */
const isFlat = (bytes: number) => Math.abs(bytes) <= MOST_BYTES;

test("ended sessions free the daemon's memory", { timeout: 3_600_000 }, async () => {
  await using run = await soak(process.env.TMPM_TEST_MEMORY_SNAPSHOTS);
  const perCycle: number[] = [];
  let before = await run.memory();
  // A leak grows in every block of cycles; one-time compilation and caches do not.
  while (perCycle.length < BLOCKS && !perCycle.some(isFlat)) {
    await run.cycles(CYCLES);
    const after = await settled(before);
    perCycle.push(Math.round((after.heapUsed - before.heapUsed) / CYCLES));
    console.info(`heap ${before.heapUsed} to ${after.heapUsed}: ${perCycle.at(-1)} bytes a cycle; RSS ${before.rss} to ${after.rss}`);
    before = after;
  }
  expect(perCycle.some(isFlat), `bytes a cycle, by blocks of ${CYCLES} cycles: ${perCycle.join(", ")}`).toBe(true);

  /** The last connections and timers of the lanes end on their own. */
  function settled(earlier: Memory): Promise<Memory> {
    return eventually(async () => {
      const now = await run.memory();
      return perCycle.length === 0 || (now.descriptors <= earlier.descriptors + 2 && now.resources <= earlier.resources + 5) ? now : null;
    });
  }
});
