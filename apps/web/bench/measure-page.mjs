// What the dashboard's page costs: `npm run bench:page`, or `npm run bench:page -- keys burst` for parts of it. TMPM_BENCH_MINUTES (2) is the time for memory.
import { loadavg } from "node:os";
import { benchmark } from "../../../scripts/bench/benchmark.mjs";
import { measureList } from "./list.mjs";
import { measureBurst, measureKeys, measureMemory, measureSilence } from "./terminal.mjs";
import { workshop } from "./workshop.mjs";

const PARTS = {
  keys: measureKeys,
  burst: measureBurst,
  memory: (shop) => measureMemory(shop, { minutes: Number(process.env.TMPM_BENCH_MINUTES ?? 2) }),
  list: (shop) => measureList(shop, { count: 200, printing: 20 }),
  silence: measureSilence,
};

await benchmark(async () => {
  const wanted = process.argv.slice(2);
  for (const [name, measure] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`load ${loadavg()[0].toFixed(1)}`);
    // Each in its own home: what the one before left does not count.
    const shop = await workshop();
    await measure(shop);
    await shop.end();
  }
});
