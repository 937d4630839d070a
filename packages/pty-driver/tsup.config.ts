import { defineConfig } from "tsup";

export default defineConfig([
  { entry: ["src/index.ts"], format: "esm", target: "node20", clean: true, external: ["node-pty"] },
  // A process for each session: one file, so that it starts fast.
  {
    entry: ["src/held/pty-holder.ts"],
    format: "esm",
    target: "node20",
    outDir: "dist/held",
    minifySyntax: true,
    noExternal: [/.*/],
    external: ["node-pty"],
    banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
    esbuildOptions(options) {
      options.conditions = ["@tmpm/source"];
    },
  },
]);
