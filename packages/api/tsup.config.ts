import { defineConfig } from "tsup";

export default defineConfig({
  entry: [
    "src/background.ts",
    "src/index.ts",
    "src/client.ts",
    "src/local/compiled-code.ts",
    "src/config/index.ts",
    "src/local/index.ts",
    "src/openapi/index.ts",
    "src/standing.ts",
  ],
  format: "esm",
  target: "node20",
  clean: true,
});
