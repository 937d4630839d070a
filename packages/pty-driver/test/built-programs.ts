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

/** What reads a terminal as a daemon does, and can be killed. */
export async function builtOwner(): Promise<string> {
  const outDir = await temporary();
  await bundle([join(import.meta.dirname, "output-owner.ts")], outDir);
  return join(outDir, "output-owner.mjs");
}

async function buildPrograms(): Promise<{ readonly entry: string; readonly attach: string }> {
  const outDir = await temporary();
  const source = join(import.meta.dirname, "..", "src");
  await bundle([join(source, "held", "pty-holder.ts"), join(source, "attach", "pty-attach.ts")], outDir);
  return { entry: join(outDir, "held", "pty-holder.mjs"), attach: join(outDir, "attach", "pty-attach.mjs") };
}

async function temporary(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), "tmpm-ptyh-"));
  afterAll(() => rm(outDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return outDir;
}

async function bundle(entry: string[], outDir: string): Promise<void> {
  await build({
    entry,
    outDir,
    format: "esm",
    outExtension: () => ({ js: ".mjs" }),
    target: "node20",
    config: false,
    silent: true,
    splitting: false,
    noExternal: [/.*/],
    external: ["node-pty"],
    banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
    esbuildOptions(options) {
      options.conditions = ["@tmpm/source"];
    },
  });
}
