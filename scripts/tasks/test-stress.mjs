import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loudly } from "../bootstrap/command.mjs";
import { Failure } from "../bootstrap/failure.mjs";
import { note } from "../bootstrap/progress.mjs";
import { root } from "../bootstrap/root.mjs";
import { setUp } from "../bootstrap/set-up.mjs";
import { enterTestEnvironment } from "../bootstrap/test-environment.mjs";
import { failuresIn, table } from "../stress/failures.mjs";
import { testSettings } from "../test-settings.mjs";

/** The tests' niceness relative to the hogs. */
const NICENESS = "5";
const WRONG_USAGE = 2;

/**
 * Runs tests repeatedly next to programs that keep processors and the disk busy: `[FILES] [--runs N] [--hogs H]`. Prints each failed test with the
 * number of failures, its seeds and its place. `TMPM_TEST_SEED=random` gives each run a different seed.
 */
export async function run(args) {
  const { files, runs, hogs } = wanted(args);
  const { env } = await setUp();
  enterTestEnvironment(env);
  const folder = mkdtempSync(join(tmpdir(), "tmpm-stress-"));
  const running = Array.from({ length: hogs }, (_, index) => [hog("cpu"), hog("disk", join(folder, `hog-${index}`))]).flat();
  const results = [];
  try {
    for (let number = 1; number <= runs; number++) {
      results.push(await once(files, folder));
      note(`stress: run ${number} of ${runs} beside ${running.length} hogs: ${results.at(-1).failures.length} failed`);
    }
  } finally {
    await Promise.all(running.map((each) => each.end()));
    rmSync(folder, { recursive: true, force: true });
  }
  const lines = table(results);
  process.stdout.write(lines.length === 0 ? `no failure in ${runs} runs\n` : `${lines.join("\n")}\n`);
  return lines.length === 0 ? 0 : 1;
}

function wanted(args) {
  const options = { runs: { type: "string", default: "10" }, hogs: { type: "string", default: "2" } };
  const { values, positionals } = parse(args, options);
  const [runs, hogs] = [Number(values.runs), Number(values.hogs)];
  if (!Number.isInteger(runs) || runs < 1) throw usage("--runs requires a number above 0");
  if (!Number.isInteger(hogs) || hogs < 0) throw usage("--hogs requires a number");
  return { files: positionals, runs, hogs };
}

function parse(args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw usage(error.message);
  }
}

function usage(message) {
  return new Failure(`${message}\nusage: npm run test:stress [-- FILES] [--runs N] [--hogs H]`, { exitCode: WRONG_USAGE });
}

async function once(files, folder) {
  const { TMPM_TEST_SEED: seed } = testSettings(process.env);
  const report = join(folder, "report.json");
  rmSync(report, { force: true });
  const vitest = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...files, "--reporter=json", `--outputFile=${report}`];
  const code = await loudly(["nice", "-n", NICENESS, process.execPath, ...vitest], { env: { ...process.env, TMPM_TEST_SEED: seed } });
  return { seed, failures: failuresOf(report, code) };
}

function failuresOf(report, code) {
  try {
    const failures = failuresIn(JSON.parse(readFileSync(report, "utf8")));
    const silent = code !== 0 && failures.length === 0;
    return silent ? [{ test: "the run", place: "vitest", message: `exit code ${code} without a failed test` }] : failures;
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return [{ test: "the run", place: "vitest", message: `exit code ${code} without a report` }];
  }
}

function hog(...args) {
  const child = spawn(process.execPath, [join(root, "scripts", "stress", "hog.mjs"), ...args], { stdio: ["pipe", "ignore", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  return {
    end() {
      child.stdin.end();
      return ended;
    },
  };
}
