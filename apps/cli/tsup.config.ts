import { rm } from "node:fs/promises";
import { builtinModules, createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build, defineConfig, type Options } from "tsup";
import { bundleInventory } from "../../scripts/bundled/inventory.mjs";

const inventory = bundleInventory();

const shared: Options = {
  // Older than the supported versions, so that an outdated Node can still parse the program and print the error.
  target: "node14",
  platform: "node",
  minify: true,
  noExternal: [/.*/],
  silent: true,
  esbuildPlugins: [inventory.plugin],
};

/**
 * Large parts are separate files, which the commands in `HOT` never load: commander, WebSockets, rarely used commands, YAML and zod, the
 * dashboard with its library, the links to other machines, and MCP and NATS. Each has its own copy of the code that it shares with the program.
 */
const apart: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "apart",
  setup(pass) {
    const lies = (filter: RegExp, file: string) =>
      pass.onResolve({ filter }, ({ kind }) => (kind === "entry-point" ? null : { path: `./${file}`, external: true }));
    lies(/^commander$/, "commander.cjs");
    lies(/^ws$/, "ws.cjs");
    lies(/\/config-library\.(?:js|cjs)$/, "config-library.cjs");
    lies(/\/fleet-library\.(?:js|cjs)$/, "fleet-library.cjs");
    lies(/\/rare-commands\.(?:js|cjs)$/, "rare-commands.cjs");
    lies(/\/(?:run-top\.js|top\.cjs)$/, "top.cjs");
    lies(/\/serve-mcp\.(?:js|cjs)$/, "serve-mcp.cjs");
    lies(/\/serve-nats\.(?:js|cjs)$/, "serve-nats.cjs");
    lies(/\/(?:written-help\.js|help\.json)$/, "help.json");
  },
};

/** Parsing zod costs a sixth of a start, so the commands must not import values, only types, from modules with schemas. Fails the build otherwise. */
const withoutZod: typeof apart = {
  name: "without-zod",
  setup(pass) {
    pass.onEnd(({ metafile }) => {
      const outputs = Object.values(metafile?.outputs ?? {}).map(({ inputs }) => Object.entries(inputs));
      const used = new Set(outputs.flat().flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])));
      const importers = Object.entries(metafile?.inputs ?? {}).filter(
        ([file, { imports }]) =>
          used.has(file) && !file.includes("/node_modules/") && imports.some(({ path }) => path.includes("/node_modules/zod/")),
      );
      return { errors: importers.map(([file]) => ({ text: `a command uses ${file}, which loads zod` })) };
    });
  },
};

/** Node modules that are not preloaded are loaded on first use: together they cost half a start. */
const lateBuiltIns: typeof apart = {
  name: "late-built-ins",
  setup(pass) {
    const early = new Set(["fs", "path"]);
    pass.onResolve({ filter: /^(?:node:)?[a-z_]+(?:\/promises)?$/ }, ({ path, namespace }) => {
      const name = path.replace(/^node:/, "");
      if (namespace === "late" || !builtinModules.includes(name) || early.has(name)) return null;
      return { path: name, namespace: "late" };
    });
    pass.onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => {
      const members = Object.keys(createRequire(import.meta.url)(path));
      return {
        contents: `for (const name of ${JSON.stringify(members)}) Object.defineProperty(exports, name, { enumerable: true, get: () => require("${path}")[name] });`,
      };
    });
  },
};

/** `createRequire` accepts either. */
const DEFINED = { "import.meta.url": "__filename" };

/**
 * Two passes. The first bundles ES modules, split at every `import()`, and drops unused modules, zod above all. The second makes
 * one CommonJS file of the chunks, each still evaluated on demand: Node's ES module loader and further files would cost more
 * than a tenth of a start.
 */
export default defineConfig({
  ...shared,
  entry: { main: "src/main.ts", "rare-commands": "src/rare-commands.ts", top: "src/top/run-top.ts" },
  outDir: "dist/pieces",
  format: "esm",
  splitting: true,
  clean: true,
  noExternal: [/^(?!(?:commander|ws)$)/],
  external: ["commander", "ws"],
  esbuildPlugins: [inventory.plugin, apart, withoutZod],
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
        "fleet-library": "src/fleet-library.ts",
        "serve-mcp": "src/serve-mcp.ts",
        "serve-nats": "src/serve-nats.ts",
      },
      esbuildOptions(options) {
        options.conditions = ["@tmpm/source"];
        options.alias = { "@modelcontextprotocol/server/_shims": resolve("../../scripts/bundled/mcp-shims.mjs") };
      },
    });
    await build({
      ...second,
      entry: ["dist/pieces/main.js", "dist/pieces/rare-commands.js", "dist/pieces/top.js"],
      esbuildPlugins: [inventory.plugin, apart, lateBuiltIns],
      esbuildOptions(options) {
        // External modules are loaded with `require`: an `import()` would start Node's ES module loader, which costs as much as half a start.
        options.supported = { "dynamic-import": false };
      },
    });
    await writeTexts(second);
    inventory.write("dist");
    await rm("dist/pieces", { recursive: true });
  },
});

/** An ES module with named exports. */
function webSockets(): string {
  const api = createRequire(createRequire(resolve("package.json")).resolve("@tmpm/api/package.json"));
  return join(dirname(api.resolve("ws/package.json")), "wrapper.mjs");
}

/** `man/` and the help are generated from the definitions of the commands. */
async function writeTexts(options: Options): Promise<void> {
  await build({
    ...options,
    entry: { man: "src/man/write-man-pages.ts", help: "src/parse/write-help.ts" },
    outDir: "dist/pieces",
    esbuildOptions(inner) {
      inner.conditions = ["@tmpm/source"];
    },
  });
  const load = createRequire(resolve("package.json"));
  await load("./dist/pieces/man.cjs").writeManPages("man", { now: new Date() });
  await load("./dist/pieces/help.cjs").writeHelp("dist/help.json");
}
