import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loudly } from "../bootstrap/command.mjs";
import { root } from "../bootstrap/root.mjs";
import { setUp } from "../bootstrap/set-up.mjs";
import { closing } from "../summary-reporter.mjs";

/** What needs no program but Node, and no build. */
const UNITS = [
  "packages/core",
  "packages/api",
  "packages/agents/test/screen",
  "packages/store/test/contract",
  "apps/cli/test/render.test.ts",
];

/** A few minutes with the real agents. */
const REAL_AGENTS = ["--config", "vitest.agents.config.ts", "test/real-agents/smoke.test.ts"];

/**
 * Sets everything up and runs the tests; arguments go to vitest. The last line printed is the count. Where TMPM_TEST_UNIT_NODE names another Node's
 * program, the tests of units are run by that one too, and counted. With TMPM_TEST_REAL_AGENTS=some, some tests of the real agents are counted as well.
 */
export async function run(args) {
  const { env } = await setUp();
  const other = process.env.TMPM_TEST_UNIT_NODE;
  const runs = [];
  if (other !== undefined) runs.push(await ran(UNITS, { env, node: other }));
  runs.push(await ran(args, { env, node: process.execPath }));
  if (process.env.TMPM_TEST_REAL_AGENTS === "some") runs.push(await ran(REAL_AGENTS, { env, node: process.execPath }));
  return close(runs);
}

export async function runTests(args, { env }) {
  return close([await ran(args, { env, node: process.execPath })]);
}

/** The summary is printed here, when vitest has ended, so that nothing can follow it. */
function close(runs) {
  const count = (name) => runs.reduce((sum, { counts }) => sum + counts[name], 0);
  const counts = { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
  process.stdout.write(closing({ notes: runs.flatMap(({ notes }) => notes), counts }));
  return runs.find(({ ok }) => !ok)?.code ?? 0;
}

async function ran(args, { env, node }) {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-summary-"));
  const file = join(folder, "summary");
  try {
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
    const code = await loudly([node, vitest, "run", ...args], { env: { ...env, TMPM_TEST_SUMMARY: file } });
    const summary = summaryIn(file) ?? {
      notes: [`vitest ended with exit code ${code} before it reported`],
      counts: { passed: 0, failed: 1, skipped: 0 },
      ok: false,
    };
    return { ...summary, ok: summary.ok && code === 0, code: code || 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function summaryIn(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}
