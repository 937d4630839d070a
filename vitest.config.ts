import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { enterTestEnvironment } from "./scripts/bootstrap/test-environment.mjs";
import { MACHINE } from "./scripts/machine-tests.mjs";
import { testSettings } from "./scripts/test-settings.mjs";

enterTestEnvironment();
// This file is read once for each project: they have one seed.
const settings = testSettings(process.env);
Object.assign(process.env, settings);

/**
 * Whose test files share the modules that they import: loading them anew for each file took longer than most of the tests. What starts many processes has its
 * own, since a large process is slow to start others.
 */
const SHARED = ["packages/{core,api,agents,fleet,host,mcp,store,supervisor,tmux-driver}/test/**/*.test.ts", "apps/*/test/**/*.test.ts"];
const ALL = ["{packages,apps}/*/test/**/*.test.ts", "examples/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.mjs"];
const NEVER = ["**/node_modules/**", "test/real-agents/**"];

/** Logic tests start no process and give the same result on any machine; machine tests are few, and wait for what a machine does. Each kind shares modules, or not. */
const inShared = (file: string) => /^(?:packages\/(?:core|api|agents|store|supervisor)|apps\/[a-z]+)\//.test(file);
const logic = { setupFiles: ["./scripts/logic-setup.mjs"] };
const machine = { setupFiles: ["./scripts/machine-setup.mjs"] };
const KINDS = [
  { name: "logic", include: SHARED, exclude: [...NEVER, ...MACHINE], isolate: false, ...logic },
  { name: "logic-apart", include: ALL, exclude: [...NEVER, ...SHARED, ...MACHINE], ...logic },
  { name: "machine", include: MACHINE.filter(inShared), exclude: NEVER, isolate: false, ...machine },
  { name: "machine-apart", include: MACHINE.filter((file) => !inShared(file)), exclude: NEVER, ...machine },
];

/** Of every project. What takes a second on a quiet machine has two minutes. A condition that comes late is not a fault; one that never comes is. */
export const eachProject = {
  env: settings,
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 100_000, interval: 50 } },
};

/** Of the run as a whole; a project that inherited them would set up again, and ignore the number of workers on the command line. */
export const wholeRun = {
  env: settings,
  globalSetup: ["./scripts/test-programs.mjs", "./scripts/run-folder.mjs"],
  reporters: ["default", "./scripts/summary-reporter.mjs"],
  maxWorkers: availableParallelism(),
};

export const ssr = { resolve: { conditions: ["@tmpm/source"] } };

export default defineConfig({ ssr, test: { ...wholeRun, projects: KINDS.map((kind) => ({ ssr, test: { ...eachProject, ...kind } })) } });
