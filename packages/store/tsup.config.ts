import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/memory.ts", "src/contract/index.ts", "src/foreign/index.ts"],
  format: "esm",
  target: "node20",
  clean: true,
});
