import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

const { projects: _, ...shared } = base.test ?? {};

/** The real agents against the mock model: not part of the default run, since it installs their programs. */
export default defineConfig({
  ...base,
  test: { ...shared, include: ["test/real-agents/**/*.test.ts"], exclude: [], maxWorkers: 1, testTimeout: 240_000 },
});
