import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quietly } from "./command.mjs";
import { toolEnvironment } from "./environment.mjs";
import { Failure } from "./failure.mjs";
import { step } from "./progress.mjs";
import { cache, root } from "./root.mjs";

/** The folders to put first on the PATH so that `pnpm` is the pinned one: a fetched copy, or none if the PATH already has it. */
export function pnpmFolders() {
  const own = join(home(), "node_modules", ".bin");
  if (existsSync(own)) return [own];
  return isOnPath() ? [] : null;
}

/** Fetches the pinned pnpm into the cache unless available. Call it under the set-up's lock. */
export async function ensurePnpm() {
  const folders = pnpmFolders();
  if (folders !== null) return folders;
  return step({ doing: `fetching pnpm ${version()}`, done: `pnpm ${version()} fetched` }, fetchPnpm);
}

/** The fetched copy is a folder that was renamed into place when it was complete. */
async function fetchPnpm() {
  removeLeftovers();
  const temporary = `${home()}.tmp-${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  const env = toolEnvironment();
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await quietly(["npm", "install", "--prefix", temporary, ...flags, `pnpm@${version()}`], {
    env,
    cwd: temporary,
    hint: `npm must be able to reach its registry; or have pnpm ${version()} on the PATH.`,
  });
  const fetched = spawnSync(join(temporary, "node_modules", ".bin", "pnpm"), ["--version"], { encoding: "utf8", env, cwd: temporary });
  if (fetched.stdout?.trim() !== version())
    throw new Failure(`tmpm: npm fetched a pnpm that does not run: ${fetched.stderr || fetched.error?.message}`);
  renameSync(temporary, home());
  return [join(home(), "node_modules", ".bin")];
}

function removeLeftovers() {
  for (const name of readdirSync(cache)) if (/^pnpm-.*\.tmp-\d+$/.test(name)) rmSync(join(cache, name), { recursive: true, force: true });
}

/** Run outside the repository, where pnpm and corepack do not replace themselves by the pinned version. */
function isOnPath() {
  const env = { ...toolEnvironment(), COREPACK_ENABLE_NETWORK: "0", COREPACK_ENABLE_DOWNLOAD_PROMPT: "0" };
  const answer = spawnSync("pnpm", ["--version"], {
    encoding: "utf8",
    env,
    cwd: tmpdir(),
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 20_000,
  });
  return answer.status === 0 && answer.stdout.trim() === version();
}

function home() {
  return join(cache, `pnpm-${version()}`);
}

function version() {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return /^pnpm@([^+]+)/.exec(packageManager)[1];
}
