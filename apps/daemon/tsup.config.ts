import { cpSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, defineConfig, type Options } from "tsup";
import { asciiOnly } from "../../scripts/bundled/ascii.mjs";
import { bundleInventory } from "../../scripts/bundled/inventory.mjs";

const inventory = bundleInventory();

const PAGE = "../web/dist";
const bundled = (name: string) => fileURLToPath(new URL(`../../scripts/bundled/${name}`, import.meta.url));
const ABSENT = bundled("absent.cjs");

/** Parts of dependencies that are never used, but would be loaded at every start. */
const REPLACED = {
  // See `src/server/no-schemas.ts`.
  "@fastify/ajv-compiler": ABSENT,
  "@fastify/fast-json-stringify-compiler": ABSENT,
  // Fastify's `inject` and its plugin version check, both unused.
  "light-my-request": ABSENT,
  semver: ABSENT,
  // Exemplars of prom-client.
  "@opentelemetry/api": ABSENT,
  "@modelcontextprotocol/server/_shims": bundled("mcp-shims.mjs"),
};

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
    options.alias = REPLACED;
    options.minifySyntax = true;
    options.minifyWhitespace = true;
    // Keeps function names, so that stack traces in the daemon's log are readable.
    options.minifyIdentifiers = false;
  },
};

export default defineConfig({
  ...shared,
  // `run` keeps its name across versions, so that its compiled code replaces that of the previous one.
  entry: ["src/main.ts", "src/run.ts"],
  clean: true,
  /** Programs that run as separate processes: one file each, for a fast start. */
  async onSuccess() {
    const entry = ["pty-holder", "pty-attach", "sdk-holder"].map((name) => `src/programs/${name}.ts`);
    await build({ ...shared, config: false, entry, outDir: "dist/programs", splitting: false, silent: true });
    inventory.write("dist");
    // The dashboard is built before this package, and shipped in it.
    if (existsSync(PAGE)) cpSync(PAGE, "dist/web", { recursive: true });
  },
});
