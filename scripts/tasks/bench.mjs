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
 * Runs every `bench/*.bench.mjs` of the workspace against the build, one after the other, in a temporary home, and prints every figure with a target as
 * a table. Fails if a benchmark fails, not for a missed target. Arguments select files by a part of their path.
 */
export async function run(parts = []) {
  const { env } = await setUp();
  enterTestEnvironment(env);
  const all = workspaceFolders().flatMap((folder) => filesBelow(join(folder, "bench")).filter((file) => file.endsWith(".bench.mjs")));
  const files = all.filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
  if (files.length === 0) note("no benchmark was found");
  const folder = mkdtempSync(join(tmpdir(), "tmpm-bench-home-"));
  // A signal ends this process once the benchmark, which also receives it, has ended.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const figures = join(folder, "figures");
  const failed = [];
  for (const file of files) {
    const name = relative(root, file);
    note(`bench: ${name}`);
    const begun = performance.now();
    const code = await loudly([process.execPath, file], { env: { ...process.env, HOME: folder, TMPM_TEST_FIGURES: figures } });
    note(`bench: ${name} took ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    if (code !== 0) failed.push(name);
  }
  if (existsSync(figures)) process.stdout.write(`\n${summary(readFileSync(figures, "utf8"), failed)}\n`);
  return failed.length === 0 ? 0 : 1;
}
