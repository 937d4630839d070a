import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { root as repository } from "./bootstrap/root.mjs";

const reporter = join(dirname(fileURLToPath(import.meta.url)), "summary-reporter.mjs");
const vitest = join(repository, "node_modules", "vitest", "vitest.mjs");
const folders = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Runs test files in a temporary folder, and resolves with the exit code and the last lines of the output. */
function runOf(files, args = []) {
  const folder = mkdtempSync(join(tmpdir(), "tmpm-reporter-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { TMPM_TEST_SUMMARY: _, ...env } = process.env;
  const argv = [vitest, "run", "--root", folder, "--globals", "--no-file-parallelism", "--no-isolate", `--reporter=${reporter}`, ...args];
  const child = spawn(process.execPath, argv, { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
  let stdout = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, lines: stdout.trimEnd().split("\n").slice(1) })));
}

test("a run ends with the reason of every skipped test and one line of counts", async () => {
  const { code, lines } = await runOf({
    "a.test.js": `
      test("passes", () => {});
      describe("group", () => {
        test("needs a tool", (context) => context.skip("strace is not installed"));
        test.skip("is left out", () => {});
        test.skip("is left to others (skipped: no (other) store)", () => {});
        test.todo("comes later");
      });`,
  });
  expect(code).toBe(0);
  expect(lines.slice(-5)).toEqual([
    "skipped: a.test.js > group > needs a tool: strace is not installed",
    "skipped: a.test.js > group > is left out: no reason given",
    "skipped: a.test.js > group > is left to others: no (other) store",
    "skipped: a.test.js > group > comes later: not written yet",
    "1 passed, 0 failed, 4 skipped",
  ]);
});

test("a failed test, a file that does not load, a hook that throws and an unhandled error all count as failed", async () => {
  const { code, lines } = await runOf({
    "a.test.js": 'test("passes", () => {}); test("fails", () => { throw new Error("as expected"); });',
    "b.test.js": 'import "./missing.js"; test("is never seen", () => {});',
    "c.test.js": 'describe("group", () => { beforeAll(() => { throw new Error("no server"); }); test("is not run", () => {}); });',
    "d.test.js": 'test("passes", () => { void Promise.reject(new Error("not awaited")); });',
  });
  expect(code).toBe(1);
  expect(lines.slice(-4)).toEqual([
    expect.stringMatching(/^failed outside a test: b\.test\.js: .*missing\.js/),
    "failed outside a test: c.test.js: no server",
    "unhandled error: not awaited",
    "2 passed, 4 failed, 1 skipped",
  ]);
});

test("a run without tests fails, even if vitest is configured to pass it", async () => {
  const { code, lines } = await runOf({}, ["--passWithNoTests"]);
  expect(code).toBe(1);
  expect(lines.slice(-2)).toEqual(["no tests ran", "0 passed, 0 failed"]);
});
