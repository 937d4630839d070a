import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";
import { afterEach } from "vitest";

/**
 * A logic test does not start processes, so that it does not depend on the machine. A test that needs a process is a machine test, listed in
 * `scripts/machine-tests.mjs`. Processes started anyway are reported at the end of the test, where code under test cannot catch the error; with
 * `TMPM_TEST_KINDS=strict`, as in `npm run check`, the test fails.
 */
const STARTING = ["spawn", "spawnSync", "execFile", "execFileSync", "exec", "execSync", "fork"];
const started = Symbol.for("tmpm.started");

globalThis[started] ??= watched();

afterEach(() => {
  const programs = globalThis[started].splice(0);
  if (programs.length === 0) return;
  const message = `a logic test started ${programs.join(", ")}: make it a machine test, in scripts/machine-tests.mjs`;
  if (process.env.TMPM_TEST_KINDS === "strict") throw new Error(message);
  console.warn(message);
});

function watched() {
  const programs = [];
  for (const name of STARTING) {
    const original = childProcess[name];
    const noting =
      (run) =>
      (...args) => {
        programs.push(`${name} ${args[0]}`);
        return run(...args);
      };
    const promised = original[promisify.custom];
    childProcess[name] = Object.assign(noting(original), promised === undefined ? {} : { [promisify.custom]: noting(promised) });
  }
  syncBuiltinESMExports();
  return programs;
}
