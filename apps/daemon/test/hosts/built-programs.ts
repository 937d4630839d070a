import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";
import { afterAll } from "vitest";
import type { Program } from "../../src/programs/program-path.js";

const built = new Map<Program, Promise<string>>();

/** A program that runs in a process of its own, as one file that Node can run; made once for a file of tests. */
export function builtProgram(name: Program): Promise<string> {
  const made = built.get(name) ?? buildProgram(name);
  built.set(name, made);
  return made;
}

async function buildProgram(name: Program): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), "tmpm-program-"));
  afterAll(async () => {
    built.delete(name);
    await rm(outDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  await build({
    entry: [join(import.meta.dirname, "..", "..", "src", "programs", `${name}.ts`)],
    outDir,
    format: "esm",
    outExtension: () => ({ js: ".mjs" }),
    target: "node20",
    config: false,
    silent: true,
    noExternal: [/.*/],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    esbuildOptions(options) {
      options.conditions = ["@tmpm/source"];
    },
  });
  return join(outDir, `${name}.mjs`);
}
