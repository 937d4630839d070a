import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";
import { afterAll } from "vitest";

let built: Promise<{ readonly entry: string; readonly attach: string }> | null = null;

/** What a holder of a PTY runs, and what attaches to one, each as one file that Node can run; made once for a file of tests. */
export function builtPrograms(): Promise<{ readonly entry: string; readonly attach: string }> {
  built ??= buildPrograms();
  return built;
}

async function buildPrograms(): Promise<{ readonly entry: string; readonly attach: string }> {
  const outDir = await mkdtemp(join(tmpdir(), "tmpm-ptyh-"));
  afterAll(() => rm(outDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const source = join(import.meta.dirname, "..", "src");
  await build({
    entry: [join(source, "held", "pty-holder.ts"), join(source, "attach", "pty-attach.ts")],
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
  return { entry: join(outDir, "held", "pty-holder.mjs"), attach: join(outDir, "attach", "pty-attach.mjs") };
}
