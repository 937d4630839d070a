import { rm } from "node:fs/promises";
import { build, defineConfig, type Options } from "tsup";

const shared: Options = {
  // Older than what tmpm runs on, so that a Node that is too old can still read the program and say so.
  target: "node14",
  platform: "node",
  minify: true,
  noExternal: [/.*/],
  silent: true,
};

/**
 * Two passes. The first bundles as ES modules, split at every `import()`, and drops what no command uses, zod above all. The second makes
 * one CommonJS file of the pieces, each still evaluated only when it is needed: Node's ES module loader and further files would cost more
 * than a tenth of a start.
 */
export default defineConfig({
  ...shared,
  entry: ["src/main.ts"],
  outDir: "dist/pieces",
  format: "esm",
  splitting: true,
  clean: true,
  esbuildOptions(options) {
    options.conditions = ["@tmpm/source"];
  },
  async onSuccess() {
    await build({
      ...shared,
      config: false,
      entry: ["dist/pieces/main.js"],
      outDir: "dist",
      format: "cjs",
      splitting: false,
      // `createRequire` takes either.
      define: { "import.meta.url": "__filename" },
    });
    await rm("dist/pieces", { recursive: true });
  },
});
