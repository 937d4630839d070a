import { accessSync, constants, existsSync, mkdirSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { cache, root } from "./root.mjs";

/** Settings for registry access and native compilation; anything else inherited from npm would misconfigure pnpm. */
const KEPT = new Set(
  "registry cafile ca cert key strict_ssl proxy https_proxy http_proxy noproxy nodedir python userconfig globalconfig cache store_dir offline fetch_retries fetch_timeout".split(
    " ",
  ),
);

/** Set by `npm run` for its scripts, and meaningless below them. */
const OF_NPM = new Set(["INIT_CWD", "NODE", "COLOR"]);

/** The environment without npm's variables, for programs that outlive the task. */
export function personsEnvironment(env = process.env) {
  const viaNpm = env.npm_lifecycle_event !== undefined;
  const cleaned = Object.entries(env).filter(([name]) => !name.toLowerCase().startsWith("npm_") && !(viaNpm && OF_NPM.has(name)));
  return { ...Object.fromEntries(cleaned), PATH: viaNpm ? withoutNpmFolders(env.PATH ?? "") : (env.PATH ?? "") };
}

/** The environment of the tools (npm, pnpm, turbo, vitest), with `folders` first on the PATH. */
export function toolEnvironment({ folders = [], env = process.env } = {}) {
  const tools = { ...personsEnvironment(env), ...keptConfig(env) };
  tools.PATH = [...folders, ...nodeFolders(tools.PATH), tools.PATH].join(delimiter);
  tools.TURBO_TELEMETRY_DISABLED = "1";
  tools.npm_config_update_notifier = "false";
  const nodedir = dirname(dirname(process.execPath));
  if (tools.npm_config_nodedir === undefined && existsSync(join(nodedir, "include", "node"))) tools.npm_config_nodedir = nodedir;
  if (!isUsableHome(tools.HOME)) tools.HOME = ownHome();
  return tools;
}

function keptConfig(env) {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => value !== "" && isRegistrySetting(name)));
}

/** An npm variable for registry access or native compilation. */
export function isRegistrySetting(name) {
  const key = /^npm_config_(.+)$/i.exec(name)?.[1];
  return key !== undefined && KEPT.has(key.toLowerCase().replaceAll("-", "_"));
}

function withoutNpmFolders(path) {
  const isNpms = (folder) => folder.endsWith("/node-gyp-bin") || (folder.endsWith("/node_modules/.bin") && isAbove(folder));
  return path
    .split(delimiter)
    .filter((folder) => !isNpms(folder))
    .join(delimiter);
}

function isAbove(folder) {
  const owner = dirname(dirname(folder));
  return root === owner || owner === "/" || root.startsWith(`${owner}/`);
}

/** The tools run with the current Node. If another one is first on the PATH, a folder with only this Node is prepended. */
function nodeFolders(path) {
  const first = path
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .find((file) => existsSync(file));
  if (first !== undefined && realpathSync(first) === realpathSync(process.execPath)) return [];
  const folder = join(cache, "node");
  const link = join(folder, "node");
  mkdirSync(folder, { recursive: true });
  if (!existsSync(link) || realpathSync(link) !== realpathSync(process.execPath)) {
    rmSync(link, { force: true });
    symlinkSync(process.execPath, link);
  }
  return [folder];
}

function isUsableHome(home) {
  if (home === undefined || !isAbsolute(home)) return false;
  try {
    accessSync(home, constants.W_OK);
    return statSync(home).isDirectory();
  } catch {
    return false; // It is not writable, for any reason.
  }
}

function ownHome() {
  const home = join(cache, "home");
  mkdirSync(home, { recursive: true });
  return home;
}
