import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts", contract: "src/contract.ts", fake: "src/fake.ts", nats: "src/nats/index.ts" },
  format: "esm",
  target: "node20",
  clean: true,
});
