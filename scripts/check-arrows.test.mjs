import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { importsOf } from "./arrows/imports.mjs";
import { tokensOf } from "./arrows/tokens.mjs";
import { checkArrows } from "./check-arrows.mjs";

const script = join(dirname(fileURLToPath(import.meta.url)), "check-arrows.mjs");
const roots = [];

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** The smallest valid repository with every package, plus `files`. */
function treeWith(files) {
  const root = mkdtempSync(join(tmpdir(), "tmpm-arrows-"));
  roots.push(root);
  const names = ["core", "tmux-driver", "store", "agents", "workspace", "api", "supervisor"];
  const packages = [...names.map((name) => `packages/${name}`), "apps/daemon", "apps/cli"];
  const sound = Object.fromEntries(packages.map((folder) => [`${folder}/package.json`, manifest(folder.split("/")[1])]));
  for (const [path, text] of Object.entries({ ...sound, ...files })) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function manifest(name, more = {}) {
  return JSON.stringify({ name: `@tmpm/${name}`, exports: { ".": "./dist/index.js" }, ...more }, null, 2);
}

describe("a forbidden import is reported with its file and line", () => {
  const cases = [
    ["core imports a package other than zod", "packages/core/src/x.ts", 'import { execa } from "execa";', /core may depend only on zod/],
    [
      "core imports another package of the workspace",
      "packages/core/src/x.ts",
      'import type { S } from "@tmpm/store";',
      /core may not import store/,
    ],
    [
      "a leaf imports another leaf",
      "packages/store/src/x.ts",
      'import { x } from "@tmpm/tmux-driver";',
      /store may not import tmux-driver/,
    ],
    [
      "the driver knows the supervisor",
      "packages/tmux-driver/src/x.ts",
      'export * from "@tmpm/supervisor";',
      /tmux-driver may not import supervisor/,
    ],
    [
      "the supervisor imports an implementation",
      "packages/supervisor/src/x.ts",
      'import { fileStore } from "@tmpm/store";',
      /may import only types of store/,
    ],
    [
      "the supervisor re-exports one",
      "packages/supervisor/src/x.ts",
      'export { find } from "@tmpm/agents";',
      /may import only types of agents/,
    ],
    [
      "the supervisor knows a host",
      "packages/supervisor/src/x.ts",
      'import type { TmuxDriver } from "@tmpm/tmux-driver";',
      /supervisor may not import tmux-driver/,
    ],
    [
      "an inline type import is an import",
      "packages/supervisor/src/x.ts",
      'import { type A } from "@tmpm/agents";',
      /may import only types of agents/,
    ],
    [
      "the supervisor imports the api",
      "packages/supervisor/src/x.ts",
      'import { routes } from "@tmpm/api";',
      /supervisor may not import api/,
    ],
    ["the cli imports the supervisor", "apps/cli/src/x.ts", 'await import("@tmpm/supervisor");', /cli may not import supervisor/],
    ["a template names the package", "apps/cli/src/x.ts", "await import(`@tmpm/store`);", /cli may not import store/],
    ["a package imports an app", "packages/api/src/x.ts", 'import "@tmpm/daemon";', /an app cannot be imported/],
    ["the cli imports the daemon", "apps/cli/src/x.ts", 'import { main } from "@tmpm/daemon";', /an app cannot be imported/],
    ["a test imports an app", "packages/api/test/x.test.ts", 'import { main } from "@tmpm/daemon";', /an app cannot be imported/],
    ["a relative import leaves its package", "packages/store/src/x.ts", 'import { x } from "../../core/src/ids.js";', /leaves its package/],
    ["so does one of a test", "packages/store/test/x.test.ts", 'import { x } from "../../core/src/ids.js";', /leaves its package/],
    ["source imports a test", "packages/store/src/x.ts", 'import { x } from "../test/open.js";', /source imports a test/],
    ["core uses Node", "packages/core/src/x.ts", 'import { join } from "node:path";', /core runs in a browser/],
    ["the api uses Node outside src/local", "packages/api/src/client.ts", 'import net from "node:net";', /api runs in a browser outside/],
    ["Node's modules require their prefix", "packages/store/src/x.ts", 'import { join } from "path";', /write "node:path"/],
    [
      "a subpath is not published",
      "packages/store/test/x.test.ts",
      'import { x } from "@tmpm/core/src/ids";',
      /not published by @tmpm\/core/,
    ],
    ["a package does not exist", "packages/store/src/x.ts", 'import { x } from "@tmpm/cor";', /package does not exist/],
    ["a package is not declared", "packages/store/src/x.ts", 'import { x } from "left-pad";', /not declared/],
    ["source requires a forbidden module", "apps/cli/src/x.ts", 'const store = require("@tmpm/store");', /cli may not import store/],
    ["a test mocks a module", "packages/store/test/x.test.ts", 'vi.mock("./x.js");', /module mocks are not allowed/],
    ["a shell is run", "packages/workspace/src/x.ts", 'import { exec } from "node:child_process";', /exec runs a shell/],
    [
      "a shell is requested",
      "packages/workspace/src/x.ts",
      'import { spawn } from "node:child_process";\nspawn("ls", { shell: true });',
      /shells are not allowed/,
    ],
  ];

  test.each(cases)("%s", (_title, path, text, rule) => {
    const [violation, ...others] = checkArrows(treeWith({ [path]: `// first line\n${text}\n` }));
    expect(others).toEqual([]);
    expect(violation).toMatch(rule);
    expect(violation.split("  ")[0]).toMatch(new RegExp(`^${path}:[23]$`));
  });

  test("a dependency in a package.json counts even without imports", () => {
    const root = treeWith({
      "packages/core/package.json": manifest("core", { dependencies: { zod: "1", execa: "1" } }),
      "packages/store/package.json": manifest("store", { peerDependencies: { "@tmpm/agents": "1" } }),
      "packages/api/package.json": manifest("api", { devDependencies: { "@tmpm/daemon": "1" } }),
    });
    expect(checkArrows(root)).toEqual([
      'packages/api/package.json:7  an app cannot be a dependency: "@tmpm/daemon"',
      'packages/core/package.json:8  core may depend only on zod, not on "execa"',
      'packages/store/package.json:7  store may not depend on "@tmpm/agents"',
    ]);
  });

  test("the script prints the violations and exits 1, and 0 without any", () => {
    const broken = treeWith({ "packages/core/src/x.ts": 'import "node:fs";' });
    const found = spawnSync(process.execPath, [script, broken], { encoding: "utf8" });
    expect([found.status, found.stdout]).toEqual([1, 'packages/core/src/x.ts:1  core runs in a browser: no "node:fs"\n']);
    expect(spawnSync(process.execPath, [script, treeWith({})], { encoding: "utf8" }).status).toBe(0);
  });
});

describe("an allowed import is not reported", () => {
  const cases = [
    ["core and zod", "packages/core/src/x.ts", 'import { z } from "zod";'],
    [
      "the supervisor and a type",
      "packages/supervisor/src/x.ts",
      'import type { Store } from "@tmpm/store";\nexport type * from "@tmpm/agents";',
    ],
    ["the daemon and an implementation", "apps/daemon/src/x.ts", 'import { fileStore } from "@tmpm/store";'],
    ["the api's local part and Node", "packages/api/src/local/x.ts", 'import net from "node:net";'],
    ["a test and any package", "packages/core/test/x.test.ts", 'import { x } from "@tmpm/supervisor";\nimport fs from "node:fs";'],
    [
      "comments, texts and regular expressions",
      "packages/core/src/x.ts",
      '// import "fs"\n/* import "fs" */ const a = "import \'fs\'", b = /import "fs"/, c = `${a} import "fs"`;',
    ],
    ["a method called exec", "packages/store/src/x.ts", 'const found = /x/.exec("y");'],
    ["an own property called shell", "packages/agents/src/x.ts", "export const agent = { shell: true };"],
  ];

  test.each(cases)("%s", (_title, path, text) => {
    const zod = { dependencies: { zod: "1" } };
    expect(checkArrows(treeWith({ "packages/core/package.json": manifest("core", zod), [path]: text }))).toEqual([]);
  });

  test("the cli depends on the daemon, whose executable it starts", () => {
    const dependencies = { "@tmpm/daemon": "1" };
    expect(checkArrows(treeWith({ "apps/cli/package.json": manifest("cli", { dependencies }) }))).toEqual([]);
  });

  test("this repository", () => {
    expect(checkArrows(dirname(dirname(script)))).toEqual([]);
  });
});

test("every form of import is detected, with its line and whether it exists at run time", () => {
  const source = [
    'import a, { b as c } from "one";',
    "import type {",
    "  D,",
    '} from "two";',
    'import type from "three";',
    'export * as e from "four"; export { f } from "five"; export type { G } from "six";',
    "export const h = 1; export { h }; export type I = string;",
    'const j = `${await import("seven")} ${`${k / 2}`}`; const l = a / b / c; const m = import.meta.url;',
    'type N = import("eight").N; import "nine"',
    "object.import('ten'); object.require('eleven');",
    'const o = [...require("twelve")];',
  ].join("\n");
  const found = importsOf(tokensOf(source)).map(({ specifier, line, typeOnly }) => `${specifier}:${line}${typeOnly ? " type" : ""}`);
  expect(found).toEqual(["one:1", "two:4 type", "three:5", "four:6", "five:6", "six:6 type", "seven:8", "eight:9", "nine:9", "twelve:11"]);
});
