import { expect, test } from "vitest";
import { eventually } from "../world.js";
import { soak } from "./cycles.js";

const SCALE = Number(process.env.TMPM_TEST_SCALE ?? 1);
const WARM_UP = 40;
const CYCLES = 60 * SCALE;
/** What the engine compiles still grows during a short run; a long one shows what a cycle leaves. A signal that was never detached left more than 20 KB. */
const MOST_BYTES = SCALE >= 10 ? 1_024 : 8_192;

test("nothing that has ended stays in the daemon's memory", { timeout: 3_600_000 }, async () => {
  await using run = await soak(process.env.TMPM_TEST_MEMORY_SNAPSHOTS);
  await run.cycles(WARM_UP);
  const before = await run.memory();
  await run.cycles(CYCLES);
  // The last connections and timers of the lanes end by themselves.
  const after = await eventually(async () => {
    const now = await run.memory();
    return now.descriptors <= before.descriptors + 2 && now.resources <= before.resources + 5 ? now : null;
  });
  const perCycle = (after.heapUsed - before.heapUsed) / CYCLES;
  console.info(`heap ${before.heapUsed} to ${after.heapUsed}: ${Math.round(perCycle)} bytes a cycle; RSS ${before.rss} to ${after.rss}`);
  expect(perCycle).toBeLessThan(MOST_BYTES);
});
