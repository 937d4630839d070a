import { setUp } from "../bootstrap/set-up.mjs";
import { runTests } from "./test.mjs";

/** Runs the real agents against the mock model; installs their programs into a cache of the user's first. Arguments go to vitest. */
export async function run(args) {
  const { env } = await setUp();
  return runTests(["--config", "vitest.agents.config.ts", ...args], { env });
}
