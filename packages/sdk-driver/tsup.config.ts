import { defineConfig } from "tsup";
import { bundleInventory } from "../../scripts/bundled/inventory.mjs";

const inventory = bundleInventory();

export default defineConfig([
  { entry: ["src/index.ts"], format: "esm", target: "node20", clean: true },
  // A process for each session: one file, so that it starts fast.
  {
    entry: ["src/holder/sdk-holder.ts"],
    format: "esm",
    target: "node20",
    outDir: "dist/holder",
    minifySyntax: true,
    noExternal: [/.*/],
    esbuildPlugins: [inventory.plugin],
    async onSuccess() {
      inventory.write("dist/holder");
    },
    banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
    esbuildOptions(options) {
      options.conditions = ["@tmpm/source"];
    },
  },
]);
