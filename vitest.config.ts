import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// This file is read once for each project: they have one seed.
process.env.TMPM_TEST_SEED ??= String(Math.floor(Math.random() * 2 ** 31));
const { TMPM_TEST_SCALE = "1", TMPM_TEST_SEED } = process.env;

/**
 * Whose test files share the modules that they import: loading them anew for each file took longer than most of the tests. What starts many processes has its
 * own, since a large process is slow to start others.
 */
const SHARED = ["packages/{core,api,agents,store,supervisor}/test/**/*.test.ts", "apps/*/test/**/*.test.ts"];
const ALL = ["{packages,apps}/*/test/**/*.test.ts", "examples/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.mjs"];
const NEVER = ["**/node_modules/**", "test/real-agents/**"];

export default defineConfig({
  ssr: { resolve: { conditions: ["@tmpm/source"] } },
  test: {
    env: { TMPM_TEST_SCALE, TMPM_TEST_SEED },
    globalSetup: "./scripts/test-programs.mjs",
    reporters: ["default", "./scripts/summary-reporter.mjs"],
    // Most tests wait for other processes: two files at once keep even two cores busy.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A condition that comes late on a loaded machine is no fault; vitest itself gives up after a second.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: "shared", include: SHARED, exclude: NEVER, isolate: false } },
      { extends: true, test: { name: "apart", include: ALL, exclude: [...NEVER, ...SHARED] } },
    ],
  },
});
