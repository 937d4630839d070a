import { defineConfig } from "tsup";

export default defineConfig({ entry: ["src/index.ts", "src/host-contract/index.ts"], format: "esm", target: "node20", clean: true });
