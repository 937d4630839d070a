import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";

/** The holder of a conversation as one file that Node can run; its path. */
export async function holderEntry(dir: string): Promise<string> {
  await build({
    entry: [fileURLToPath(new URL("../src/holder/sdk-holder.ts", import.meta.url))],
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
  return join(dir, "sdk-holder.mjs");
}
