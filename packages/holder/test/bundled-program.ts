import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "esbuild";

const made = new Map<string, Promise<string>>();

/** The path of a program as one file that Node can run, given its source's absolute path; made once for a test run, which removes it. */
export function bundledProgram(source: string): Promise<string> {
  const path = made.get(source) ?? bundle(source);
  made.set(source, path);
  return path;
}

async function bundle(source: string): Promise<string> {
  const { TMPM_TEST_PROGRAMS: dir } = process.env;
  if (dir === undefined) throw new Error("TMPM_TEST_PROGRAMS is not set: scripts/test-programs.mjs does that for every run of vitest");
  const place = createHash("sha256").update(source).digest("hex").slice(0, 12);
  const outfile = join(dir, `${basename(source, ".ts")}-${place}.mjs`);
  if (existsSync(outfile)) return outfile;
  const own = `${outfile}.${process.pid}`;
  await build({
    entryPoints: [source],
    outfile: own,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@tmpm/source"],
    // Some dependencies are CommonJS and call `require` for Node's own modules.
    banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
    logLevel: "error",
  });
  await rename(own, outfile);
  return outfile;
}
