import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/client.ts", "src/local/index.ts"],
  format: "esm",
  target: "node20",
  clean: true,
});
