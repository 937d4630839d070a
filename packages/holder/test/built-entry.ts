import { join } from "node:path";
import { build } from "tsup";

/** Makes one file of an entry of a holder beside this one, which Node can run; its path. */
export async function builtEntry(name: string, dir: string): Promise<string> {
  await build({
    entry: [join(import.meta.dirname, `${name}.ts`)],
    outDir: dir,
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
  return join(dir, `${name}.mjs`);
}
