import { join } from "node:path";
import { loudly } from "../bootstrap/command.mjs";
import { Failure } from "../bootstrap/failure.mjs";
import { note } from "../bootstrap/progress.mjs";
import { root } from "../bootstrap/root.mjs";
import { setUp } from "../bootstrap/set-up.mjs";
import { runTests } from "./test.mjs";

const bin = (...path) => join(root, "node_modules", ...path);

const GATES = [
  { name: "types", run: (context) => node([bin("typescript", "bin", "tsc"), "-p", "tsconfig.json"], context) },
  { name: "types of the page", run: (context) => node([bin("typescript", "bin", "tsc"), "-p", "apps/web/tsconfig.json"], context) },
  { name: "lint", run: (context) => node([bin("@biomejs", "biome", "bin", "biome"), "check", "."], context) },
  { name: "arrows", run: (context) => node(["scripts/check-arrows.mjs"], context) },
  { name: "shape", run: (context) => node(["scripts/check-shape.mjs"], context) },
  { name: "words", run: (context) => node(["scripts/check-words.mjs"], context) },
  { name: "packages", run: (context) => node(["scripts/check-packages.mjs"], context) },
  { name: "tests", run: (context) => runTests([], context) },
];

/** All checks for a change, cheapest first; stops at the first failure. */
export async function run() {
  const { env } = await setUp();
  for (const gate of GATES) {
    note(`check: ${gate.name}`);
    const code = await gate.run({ env: { ...env, TMPM_TEST_KINDS: "strict" } });
    if (code !== 0) throw new Failure(`tmpm: check failed at ${gate.name}`, { exitCode: code });
  }
  note(`check: all of ${GATES.map((gate) => gate.name).join(", ")} passed`);
  return 0;
}

function node(argv, { env }) {
  return loudly([process.execPath, ...argv], { env });
}
