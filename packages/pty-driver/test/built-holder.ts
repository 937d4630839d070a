import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";
import { afterAll } from "vitest";

let built: Promise<string> | null = null;

/** One file that Node can run of what a holder of a PTY runs, made once for a file of tests; its path. */
export function builtHolder(): Promise<string> {
  built ??= buildHolder();
  return built;
}

async function buildHolder(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), "tmpm-ptyh-"));
  afterAll(() => rm(outDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  await build({
    entry: [join(import.meta.dirname, "..", "src", "held", "pty-holder.ts")],
    outDir,
    format: "esm",
    outExtension: () => ({ js: ".mjs" }),
    target: "node20",
    config: false,
    silent: true,
    noExternal: [/.*/],
    external: ["node-pty"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    esbuildOptions(options) {
      options.conditions = ["@tmpm/source"];
    },
  });
  return join(outDir, "pty-holder.mjs");
}
