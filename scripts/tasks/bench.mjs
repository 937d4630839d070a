import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { summary } from "../bench/figures.mjs";
import { loudly } from "../bootstrap/command.mjs";
import { filesBelow, workspaceFolders } from "../bootstrap/fingerprint.mjs";
import { note } from "../bootstrap/progress.mjs";
import { root } from "../bootstrap/root.mjs";
import { setUp } from "../bootstrap/set-up.mjs";
import { enterTestEnvironment } from "../bootstrap/test-environment.mjs";

/**
 * Runs every `bench/*.bench.mjs` of the workspace against the build, one after the other, in a home of its own, and prints every figure that has a target as a
 * table. Fails when one of them fails, not for a missed target. Arguments choose files by a part of their path.
 */
export async function run(parts = []) {
  const { env } = await setUp();
  enterTestEnvironment(env);
  const all = workspaceFolders().flatMap((folder) => filesBelow(join(folder, "bench")).filter((file) => file.endsWith(".bench.mjs")));
  const files = all.filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
  if (files.length === 0) note("no benchmark was found");
  const folder = mkdtempSync(join(tmpdir(), "tmpm-bench-home-"));
  const figures = join(folder, "figures");
  let failed = 0;
  try {
    for (const file of files) {
      note(`bench: ${relative(root, file)}`);
      const code = await loudly([process.execPath, file], { env: { ...process.env, HOME: folder, TMPM_TEST_FIGURES: figures } });
      if (code !== 0) failed += 1;
    }
    if (existsSync(figures)) process.stdout.write(`\n${summary(readFileSync(figures, "utf8"))}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return failed === 0 ? 0 : 1;
}
