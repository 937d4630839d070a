import { join } from "node:path";
import { bundledProgram } from "@tmpm/holder/testing";
import type { Program } from "../../src/programs/program-path.js";

/** A program that the daemon starts as a separate process, built with the daemon. */
export function daemonProgram(name: Program): Promise<string> {
  return bundledProgram(join(import.meta.dirname, "..", "..", "src", "programs", `${name}.ts`));
}
