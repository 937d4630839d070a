import { builtinModules } from "node:module";
import { dirname, resolve, sep } from "node:path";

/** Allowed imports. An entry that ends in ` (types)` may be imported with `import type` only. */
const IMPLEMENTATIONS = ["tmux-driver", "store", "agents", "workspace"];
const ARROWS = {
  core: [],
  processes: [],
  host: ["core", "agents (types)"],
  "tmux-driver": ["core", "processes", "host (types)"],
  holder: ["core", "processes"],
  store: ["core"],
  agents: ["core"],
  workspace: ["core"],
  "pty-driver": ["core", "processes", "holder", "host (types)"],
  "sdk-driver": ["core", "processes", "holder", "host (types)"],
  api: ["core"],
  fleet: ["core"],
  supervisor: ["core", "host (types)", "store (types)", "agents (types)", "workspace (types)"],
  daemon: ["core", "processes", "holder", "host", "supervisor", "api", "fleet", "mcp", "pty-driver", "sdk-driver", ...IMPLEMENTATIONS],
  mcp: ["core", "api"],
  cli: ["api", "core", "mcp", "fleet"],
  web: ["api", "core"],
};

/** An app that starts another app's executable depends on it, without importing it. */
const STARTS = { cli: ["daemon"] };

/** Allowed npm dependencies of a package at run time; without an entry, all declared ones. */
const OUTSIDE = { core: ["zod"] };

/** Folders that must run in a browser, with their exceptions. */
const BROWSER = { core: null, api: `src${sep}local${sep}` };

const BUILTIN = new Set(builtinModules);

/** The rules that one import violates. `file` is absolute; `from` is the package that contains it, `isTest` whether it is a test. */
export function brokenByImport({ specifier, typeOnly, names }, { file, from, isTest, workspace }) {
  if (specifier.startsWith(".")) return brokenByPath(specifier, { file, from, isTest });
  if (specifier.startsWith("node:") || BUILTIN.has(specifier)) return brokenByBuiltin(specifier, { file, from, isTest, names });
  if (specifier.startsWith("@tmpm/")) return brokenByOurs(specifier, { from, isTest, typeOnly, workspace });
  return isTest ? [] : brokenByOutside(specifier, from);
}

/** The rules that a package.json violates: `{ dependency, rule }` each. */
export function brokenByManifest(from, { workspace }) {
  const { dependencies, peerDependencies, optionalDependencies, devDependencies } = from.manifest;
  const atRunTime = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  const inTests = Object.keys(devDependencies ?? {});
  const broken = (dependency, rules) => rules.map((rule) => ({ dependency, rule }));
  return [
    ...atRunTime.flatMap((name) => broken(name, [...brokenByDependency(name, from), ...brokenByAppDependency(name, { from, workspace })])),
    ...inTests.flatMap((name) => broken(name, brokenByAppDependency(name, { from, workspace }))),
  ];
}

function brokenByPath(specifier, { file, from, isTest }) {
  const target = resolve(dirname(file), specifier);
  if (!target.startsWith(`${from.folder}${sep}`)) return [`a relative import leaves its package: "${specifier}"`];
  const intoTests = !isTest && target.startsWith(`${from.folder}${sep}test${sep}`);
  return intoTests ? [`source imports a test: "${specifier}"`] : [];
}

function brokenByBuiltin(specifier, { file, from, isTest, names }) {
  const broken = [];
  if (!specifier.startsWith("node:")) broken.push(`write "node:${specifier}"`);
  const exempt = BROWSER[from.name];
  const inBrowser = !isTest && exempt !== undefined && !(exempt !== null && file.startsWith(`${from.folder}${sep}${exempt}`));
  if (inBrowser) broken.push(`${from.name} runs in a browser${exempt === null ? "" : ` outside ${exempt}`}: no "${specifier}"`);
  const shells = names.filter((name) => name === "exec" || name === "execSync");
  if (/child_process$/.test(specifier) && shells.length > 0) broken.push(`${shells[0]} runs a shell: start a program with an argv`);
  return broken;
}

function brokenByOurs(specifier, { from, isTest, typeOnly, workspace }) {
  const name = specifier.split("/")[1];
  const target = workspace.find((other) => other.name === name);
  if (target === undefined) return [`package does not exist: "${specifier}"`];
  if (target.isApp) return [`an app cannot be imported: "${specifier}"`];
  const subpath = `.${specifier.slice(`@tmpm/${name}`.length)}`;
  if (!Object.hasOwn(target.manifest.exports ?? {}, subpath)) return [`not published by @tmpm/${name}: "${specifier}"`];
  if (isTest || name === from.name) return [];
  return brokenByArrow(name, { from, typeOnly });
}

function brokenByArrow(name, { from, typeOnly }) {
  const arrows = ARROWS[from.name];
  if (arrows === undefined) return [`${from.name} has no rules yet: add it to scripts/arrows/rules.mjs`];
  if (arrows.includes(name)) return [];
  if (!arrows.includes(`${name} (types)`)) return [`${from.name} may not import ${name}${mayKnow(arrows)}`];
  return typeOnly ? [] : [`${from.name} may import only types of ${name}: use \`import type\``];
}

function mayKnow(arrows) {
  return arrows.length === 0 ? ", or any other package of the workspace" : `, only ${arrows.join(", ")}`;
}

function brokenByOutside(specifier, from) {
  const name = packageOf(specifier);
  const { dependencies, peerDependencies, optionalDependencies, devDependencies } = from.manifest;
  const declared = { ...dependencies, ...peerDependencies, ...optionalDependencies, ...(from.isApp ? devDependencies : {}) };
  const broken = brokenByDependency(name, from);
  if (broken.length > 0 || Object.hasOwn(declared, name)) return broken;
  return [`not declared in package.json: "${name}"`];
}

function brokenByDependency(name, from) {
  if (name.startsWith("@tmpm/")) return brokenByOurDependency(name.slice("@tmpm/".length), from);
  const outside = OUTSIDE[from.name];
  return outside === undefined || outside.includes(name) ? [] : [`${from.name} may depend only on ${outside.join(", ")}, not on "${name}"`];
}

function brokenByOurDependency(name, from) {
  const arrows = [...(ARROWS[from.name] ?? []), ...(STARTS[from.name] ?? [])].map((arrow) => arrow.replace(" (types)", ""));
  return arrows.includes(name) ? [] : [`${from.name} may not depend on "@tmpm/${name}"`];
}

function brokenByAppDependency(name, { from, workspace }) {
  const target = workspace.find((other) => `@tmpm/${other.name}` === name);
  if (target?.isApp !== true || STARTS[from.name]?.includes(target.name)) return [];
  return [`an app cannot be a dependency: "${name}"`];
}

function packageOf(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
