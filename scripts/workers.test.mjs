import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./bootstrap/root.mjs";

const CORES = availableParallelism();

/** The file notes the number of its place among the concurrent ones, from 1. */
const FILE = `
import { writeFileSync } from "node:fs";
import { test } from "vitest";
test("runs", () => writeFileSync(process.env.TMPM_TEST_PLACES + "/" + process.env.VITEST_POOL_ID, ""));
`;

/** The number of test files that run at the same time, in projects made like those of the repository and with more files than that. */
function concurrent(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-workers-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const places = join(folder, "places");
  mkdirSync(places);
  for (let number = 0; number <= CORES; number++) {
    for (const project of ["one", "two"]) writeFileSync(join(folder, `${project}-${number}.test.mjs`), FILE);
  }
  const config = join(folder, "vitest.config.mjs");
  writeFileSync(
    config,
    `import { eachProject, wholeRun } from ${JSON.stringify(join(root, "vitest.config.ts"))};
     const project = (name, isolate) => ({ test: { ...eachProject, name, isolate, include: [name + "-*.test.mjs"] } });
     export default { test: { maxWorkers: wholeRun.maxWorkers, projects: [project("one", false), project("two", true)] } };`,
  );
  const vitest = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "--root", folder, "--config", config, ...args];
  const run = spawnSync(process.execPath, vitest, {
    cwd: folder,
    env: { ...process.env, VITEST_MAX_WORKERS: "", ...env, TMPM_TEST_PLACES: places },
    encoding: "utf8",
  });
  expect(run.stdout + run.stderr).toContain(`${2 * (CORES + 1)} passed`);
  return readdirSync(places).length;
}

test("one test file runs on each core, over all projects", () => {
  expect(concurrent([])).toBe(CORES);
});

test("the number of concurrent files can be given on the command line and in the environment", () => {
  expect([concurrent(["--maxWorkers=1"]), concurrent([], { VITEST_MAX_WORKERS: "1" })]).toEqual([1, 1]);
});
