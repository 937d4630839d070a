import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loudly } from "../bootstrap/command.mjs";
import { root } from "../bootstrap/root.mjs";
import { setUp } from "../bootstrap/set-up.mjs";

/** Sets everything up and runs the tests; arguments go to vitest. The last line printed is the count. */
export async function run(args) {
  const { env } = await setUp();
  return runTests(args, { env });
}

/** The summary is printed here, when vitest has ended, so that nothing can follow it. */
export async function runTests(args, { env }) {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-summary-"));
  const file = join(folder, "summary");
  try {
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
    const code = await loudly([process.execPath, vitest, "run", ...args], { env: { ...env, TMPM_TEST_SUMMARY: file } });
    const { text, ok } = summaryIn(file) ?? {
      text: `vitest ended with exit code ${code} before it reported\n0 passed, 1 failed\n`,
      ok: false,
    };
    process.stdout.write(text);
    return ok ? code : code || 1;
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
