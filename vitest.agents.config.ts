import { defineConfig } from "vitest/config";
import { eachProject, ssr, wholeRun } from "./vitest.config.js";

/** The real agents against the mock model: not part of the default run, since it installs their programs. */
export default defineConfig({
  ssr,
  test: {
    ...wholeRun,
    ...eachProject,
    include: ["test/real-agents/**/*.test.ts"],
    setupFiles: ["./scripts/machine-setup.mjs"],
    maxWorkers: 1,
    testTimeout: 240_000,
  },
});
