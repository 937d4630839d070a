import { setUp } from "../bootstrap/set-up.mjs";
import { runTests } from "./test.mjs";

/** Runs the real agents against the mock model, after installing their programs into a cache of the user. Arguments are passed to vitest. */
export async function run(args) {
  const { env } = await setUp();
  return runTests(["--config", "vitest.agents.config.ts", ...args], { env });
}
