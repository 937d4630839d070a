import { loudly } from "./bootstrap/command.mjs";
import { enterTestEnvironment } from "./bootstrap/test-environment.mjs";

/** Runs a program with the environment and umask of tests: `node scripts/in-test-environment.mjs PROGRAM [ARG...]`. */
enterTestEnvironment();
process.exitCode = await loudly(process.argv.slice(2), { env: process.env, cwd: process.cwd() });
