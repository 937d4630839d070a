// Loaded into a daemon with NODE_OPTIONS=--require. On SIGUSR2 it writes the contents of the memory after a collection.
const { writeFileSync, renameSync, readdirSync } = require("node:fs");
const v8 = require("node:v8");
const vm = require("node:vm");

const report = process.env.TMPM_TEST_MEMORY_REPORT;
if (report !== undefined && process.argv[1]?.includes("daemon")) {
  v8.setFlagsFromString("--expose-gc");
  // Metadata that the engine keeps for a function is kept from its first call on: otherwise, as it compiles and discards code later, the heap would change
  // for hundreds of cycles.
  const SETTLED = ["--no-lazy-feedback-allocation", "--no-sparkplug", "--no-maglev", "--no-opt", "--no-flush-bytecode"];
  for (const flag of SETTLED) v8.setFlagsFromString(flag);
  const gc = vm.runInNewContext("gc");
  let count = 0;
  process.on("SIGUSR2", () => {
    setImmediate(() => {
      gc();
      gc();
      const { heapUsed, rss } = process.memoryUsage();
      const resources = process.getActiveResourcesInfo();
      count += 1;
      const measured = { count, heapUsed, rss, descriptors: readdirSync("/proc/self/fd").length, resources: resources.length };
      writeFileSync(`${report}.new`, JSON.stringify(measured));
      renameSync(`${report}.new`, report);
      if (process.env.TMPM_TEST_MEMORY_SNAPSHOTS !== undefined)
        v8.writeHeapSnapshot(`${process.env.TMPM_TEST_MEMORY_SNAPSHOTS}/${count}.heapsnapshot`);
    });
  });
}
