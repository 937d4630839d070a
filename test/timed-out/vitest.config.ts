import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { eachProject, ssr, wholeRun } from "../../vitest.config.js";

const scripts = resolve(import.meta.dirname, "../../scripts");

/** The set-up of machine tests, around a file whose test never ends. */
export default defineConfig({
  ssr,
  test: {
    ...eachProject,
    globalSetup: wholeRun.globalSetup.map((path) => resolve(scripts, "..", path)),
    setupFiles: [resolve(scripts, "machine-setup.mjs")],
    include: [resolve(import.meta.dirname, "never-ends.ts")],
  },
});
