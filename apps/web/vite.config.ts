import { readFileSync } from "node:fs";
import { defineConfig } from "vite";
import { bundleInventory } from "../../scripts/bundled/inventory.mjs";

const { version }: { readonly version: string } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

/** Static files with hashes in their names; assets are not inlined, because the page's policy forbids inline content. */
export default defineConfig({
  plugins: [bundleInventory().pagePlugin],
  define: { __TMPM_VERSION__: JSON.stringify(version) },
  resolve: { conditions: ["@tmpm/source", "module", "browser", "production"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    chunkSizeWarningLimit: 1000,
  },
});
