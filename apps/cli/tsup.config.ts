import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/main.ts"],
  format: "esm",
  target: "node20",
  clean: true,
  splitting: true,
  minify: true,
  noExternal: [/.*/],
  banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
  esbuildOptions(options) {
    options.conditions = ["@tmpm/source"];
  },
});
