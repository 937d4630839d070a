import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED = String(Math.floor(Math.random() * 2 ** 31)) } = process.env;

export default defineConfig({
  ssr: { resolve: { conditions: ["@tmpm/source"] } },
  test: {
    include: ["{packages,apps}/*/test/**/*.test.ts", "examples/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.mjs"],
    exclude: ["**/node_modules/**", "test/real-agents/**"],
    env: { TMPM_TEST_SCALE, TMPM_TEST_SEED },
    reporters: ["default", "./scripts/summary-reporter.mjs"],
    // Most tests wait for other processes: two files at once keep even two cores busy.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
