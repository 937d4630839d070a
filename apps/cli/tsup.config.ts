import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build, defineConfig, type Options } from "tsup";

const shared: Options = {
  // Older than what tmpm runs on, so that a Node that is too old can still read the program and say so.
  target: "node14",
  platform: "node",
  minify: true,
  noExternal: [/.*/],
  silent: true,
};

/**
 * Large parts stay files of their own, which what `HOT` names never reads: commander, WebSockets, the commands that are asked for rarely, YAML and zod, and the
 * dashboard with its library. Each has its own copy of what it shares with the program.
 */
const apart: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "apart",
  setup(pass) {
    const lies = (filter: RegExp, file: string) =>
      pass.onResolve({ filter }, ({ kind }) => (kind === "entry-point" ? null : { path: `./${file}.cjs`, external: true }));
    lies(/^commander$/, "commander");
    lies(/^ws$/, "ws");
    lies(/\/config-library\.(?:js|cjs)$/, "config-library");
    lies(/\/rare-commands\.(?:js|cjs)$/, "rare-commands");
    lies(/\/(?:run-top\.js|top\.cjs)$/, "top");
  },
};

/** `createRequire` takes either. */
const DEFINED = { "import.meta.url": "__filename" };

/**
 * Two passes. The first bundles as ES modules, split at every `import()`, and drops what no command uses, zod above all. The second makes
 * one CommonJS file of the pieces, each still evaluated only when it is needed: Node's ES module loader and further files would cost more
 * than a tenth of a start.
 */
export default defineConfig({
  ...shared,
  entry: ["src/main.ts", "src/rare-commands.ts"],
  outDir: "dist/pieces",
  format: "esm",
  splitting: true,
  clean: true,
  noExternal: [/^(?!(?:commander|ws)$)/],
  external: ["commander", "ws"],
  esbuildPlugins: [apart],
  esbuildOptions(options) {
    options.conditions = ["@tmpm/source"];
  },
  async onSuccess() {
    const second = { ...shared, config: false as const, outDir: "dist", format: "cjs" as const, splitting: false, define: DEFINED };
    await build({
      ...second,
      entry: {
        commander: createRequire(resolve("package.json")).resolve("commander"),
        ws: webSockets(),
        "config-library": "src/config-library.ts",
        top: "src/top/run-top.ts",
      },
      esbuildOptions(options) {
        options.conditions = ["@tmpm/source"];
      },
    });
    await build({
      ...second,
      entry: ["dist/pieces/main.js", "dist/pieces/rare-commands.js"],
      esbuildPlugins: [apart],
      esbuildOptions(options) {
        // What is external is required then: an `import()` would start Node's ES module loader, which costs as much as half a start.
        options.supported = { "dynamic-import": false };
      },
    });
    await writeManual(second);
    await rm("dist/pieces", { recursive: true });
  },
});

/** As an ES module, whose exports are named. */
function webSockets(): string {
  const api = createRequire(createRequire(resolve("package.json")).resolve("@tmpm/api/package.json"));
  return join(dirname(api.resolve("ws/package.json")), "wrapper.mjs");
}

/** `man/` is written by the commands' own definitions. */
async function writeManual(options: Options): Promise<void> {
  await build({
    ...options,
    entry: { manual: "src/man/write-man-pages.ts" },
    outDir: "dist/pieces",
    esbuildOptions(inner) {
      inner.conditions = ["@tmpm/source"];
    },
  });
  const { writeManPages } = createRequire(resolve("package.json"))("./dist/pieces/manual.cjs");
  await writeManPages("man", { now: new Date() });
}
