import { join, relative } from "node:path";
import { loudly } from "../bootstrap/command.mjs";
import { filesBelow, workspaceFolders } from "../bootstrap/fingerprint.mjs";
import { note } from "../bootstrap/progress.mjs";
import { root } from "../bootstrap/root.mjs";
import { setUp } from "../bootstrap/set-up.mjs";
import { enterTestEnvironment } from "../bootstrap/test-environment.mjs";

/** Runs every `bench/*.bench.mjs` of the workspace against the build, one after the other; fails when one fails. */
export async function run() {
  const { env } = await setUp();
  enterTestEnvironment(env);
  const files = workspaceFolders().flatMap((folder) => filesBelow(join(folder, "bench")).filter((file) => file.endsWith(".bench.mjs")));
  if (files.length === 0) note("there are no benchmarks yet: none of packages/*/bench and apps/*/bench holds a *.bench.mjs");
  let failed = 0;
  for (const file of files) {
    note(`bench: ${relative(root, file)}`);
    if ((await loudly([process.execPath, file], { env: process.env })) !== 0) failed += 1;
  }
  return failed === 0 ? 0 : 1;
}
