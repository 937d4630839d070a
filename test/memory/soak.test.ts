import { expect, test } from "vitest";
import { eventually } from "../fixture.js";
import { type Memory, soak } from "./cycles.js";

const SCALE = Number(process.env.TMPM_TEST_SCALE ?? 1);
const CYCLES = 60 * SCALE;
/** The heap that one cycle may leave behind, in bytes. A signal that was never detached left more than 20 KB. */
const MOST_BYTES = 1_024;
/** How many blocks of cycles it may take until what is made once is there. */
const BLOCKS = 10;
/** A block in which much was let go of proves nothing: what leaked meanwhile does not show. */
const isFlat = (bytes: number) => Math.abs(bytes) <= MOST_BYTES;

test("ended sessions free the daemon's memory", { timeout: 3_600_000 }, async () => {
  await using run = await soak(process.env.TMPM_TEST_MEMORY_SNAPSHOTS);
  const perCycle: number[] = [];
  let before = await run.memory();
  // What leaks, leaks in every block of cycles; what is compiled or cached once does not.
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
