import { build, defineConfig } from "tsup";
import { bundleInventory } from "../../scripts/bundled/inventory.mjs";

const inventory = bundleInventory();

export default defineConfig({
  entry: ["src/index.ts"],
  format: "esm",
  target: "node20",
  clean: true,
  external: ["node-pty"],
  /** Processes of their own: one file each, so that they start fast. */
  async onSuccess() {
    await build({
      config: false,
      entry: { holder: "src/held/pty-holder.ts", attach: "src/attach/pty-attach.ts" },
      outDir: "dist/programs",
      format: "esm",
      target: "node20",
      splitting: false,
      minifySyntax: true,
      silent: true,
      noExternal: [/.*/],
      esbuildPlugins: [inventory.plugin],
      banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
      esbuildOptions(options) {
        options.conditions = ["@tmpm/source"];
      },
    });
    inventory.write("dist");
  },
});
