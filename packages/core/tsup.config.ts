import { defineConfig } from "tsup";

/** One file out for each file in, so that a bundler drops the schemas, and with them zod, where only errors, text or names are used. */
export default defineConfig({ entry: ["src/**/*.ts"], bundle: false, format: "esm", target: "node20", clean: true });
