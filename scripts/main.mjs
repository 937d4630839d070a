import { Failure } from "./bootstrap/failure.mjs";

const TASKS = {
  start: () => import("./tasks/start.mjs"),
  test: () => import("./tasks/test.mjs"),
  "test-stress": () => import("./tasks/test-stress.mjs"),
  "test-agents": () => import("./tasks/test-agents.mjs"),
  check: () => import("./tasks/check.mjs"),
  bench: () => import("./tasks/bench.mjs"),
  build: () => import("./tasks/build.mjs"),
  pnpm: () => import("./tasks/pnpm.mjs"),
};

/** Runs one task of the repository and sets the exit code: the task's own, 2 for wrong usage, 6 for a missing prerequisite. */
export async function main([name, ...args]) {
  if (!Object.hasOwn(TASKS, name ?? "")) {
    process.stderr.write(`usage: node scripts/run.mjs ${Object.keys(TASKS).join("|")} [ARG...]\n`);
    process.exitCode = 2;
    return;
  }
  try {
    const { run } = await TASKS[name]();
    process.exitCode = await run(args);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}
