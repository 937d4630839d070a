import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/main.ts"],
  format: "esm",
  target: "node20",
  clean: true,
  minifySyntax: true,
  noExternal: [/.*/],
  // Some dependencies are CommonJS and call `require` for Node's own modules.
  banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
  esbuildOptions(options) {
    options.conditions = ["@tmpm/source"];
  },
});
