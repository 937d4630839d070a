import { defineConfig } from "tsup";

export default defineConfig({ entry: ["src/index.ts", "src/compat/trusty-mpm.ts"], format: "esm", target: "node20", clean: true });
