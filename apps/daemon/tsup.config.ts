import { cpSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, defineConfig, type Options } from "tsup";
import { asciiOnly } from "../../scripts/bundled/ascii.mjs";
import { bundleInventory } from "../../scripts/bundled/inventory.mjs";

const inventory = bundleInventory();

const PAGE = "../web/dist";
const ABSENT = fileURLToPath(new URL("../../scripts/bundled/absent.cjs", import.meta.url));

const shared: Options = {
  format: "esm",
  target: "node20",
  noExternal: [/.*/],
  esbuildPlugins: [inventory.plugin],
  plugins: [asciiOnly],
  // Some dependencies are CommonJS and call `require` for Node's own modules.
  banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
  esbuildOptions(options) {
    options.conditions = ["@tmpm/source"];
    // Never loaded, as `src/no-schemas.ts` says.
    options.alias = { "@fastify/ajv-compiler": ABSENT, "@fastify/fast-json-stringify-compiler": ABSENT };
    options.minifySyntax = true;
    options.minifyWhitespace = true;
    // A stack in the daemon's log names its functions.
    options.minifyIdentifiers = false;
  },
};

export default defineConfig({
  ...shared,
  entry: ["src/main.ts"],
  clean: true,
  /** What runs in processes of their own: one file each, so that they start fast. */
  async onSuccess() {
    const entry = ["pty-holder", "pty-attach", "sdk-holder"].map((name) => `src/programs/${name}.ts`);
    await build({ ...shared, config: false, entry, outDir: "dist/programs", splitting: false, silent: true });
    inventory.write("dist");
    // The dashboard is built before this package, and shipped in it.
    if (existsSync(PAGE)) cpSync(PAGE, "dist/web", { recursive: true });
  },
});
