import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { answerOf, loudly } from "../bootstrap/command.mjs";
import { root } from "../bootstrap/root.mjs";
import { setUp } from "../bootstrap/set-up.mjs";
import { enterTestEnvironment } from "../bootstrap/test-environment.mjs";
import { closing } from "../summary-reporter.mjs";

/** Tests that need only Node, without a build. */
const UNITS = [
  "packages/core",
  "packages/api",
  "packages/agents/test/screen",
  "packages/store/test/contract",
  "apps/cli/test/render/render.test.ts",
];

/** A few minutes with the real agents. */
const REAL_AGENTS = ["--config", "vitest.agents.config.ts", "test/real-agents/smoke.test.ts"];

/**
 * Sets everything up and runs the tests; arguments are passed to vitest. The last line of output is the count. `TMPM_TEST_NODE` names the program of
 * another Node that runs them instead of this one, `TMPM_TEST_UNIT_NODES` further ones that run the unit tests too, separated as in a PATH. With
 * `TMPM_TEST_REAL_AGENTS=some`, some tests of the real agents are also counted.
 */
export async function run(args) {
  const { env } = await setUp();
  const { TMPM_TEST_NODE: whole = process.execPath, TMPM_TEST_UNIT_NODES: others = "" } = process.env;
  const nodes = others.split(delimiter).filter((path) => path !== "");
  async function ours() {
    const units = await Promise.all(nodes.map((node) => ran(UNITS, { env, node, as: printedAtEnd })));
    return [...units, await ran(args, { env, node: whole })];
  }
  // Run sequentially; they mostly wait.
  const agents = process.env.TMPM_TEST_REAL_AGENTS === "some" ? [ran(REAL_AGENTS, { env, node: process.execPath, as: printedAtEnd })] : [];
  const runs = await Promise.all([ours(), ...agents]);
  return close(runs.flat());
}

export async function runTests(args, { env }) {
  return close([await ran(args, { env, node: process.execPath })]);
}

/** The summary is printed here after vitest has ended, so that nothing follows it. */
function close(runs) {
  const count = (name) => runs.reduce((sum, { counts }) => sum + counts[name], 0);
  const counts = { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
  process.stdout.write(closing({ notes: runs.flatMap(({ notes }) => notes), counts }));
  return runs.find(({ ok }) => !ok)?.code ?? 0;
}

/** Keeps the output lines of parallel runs from interleaving. */
async function printedAtEnd(argv, options) {
  const { code, stdout, stderr } = await answerOf(argv, options);
  process.stdout.write(`${stdout}${stderr}`);
  return code;
}

async function ran(args, { env, node, as = loudly }) {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-summary-"));
  const file = join(folder, "summary");
  enterTestEnvironment(env);
  try {
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
    const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
    const code = await as([node, vitest, "run", ...args], { env: { ...process.env, PATH, TMPM_TEST_SUMMARY: file } });
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
