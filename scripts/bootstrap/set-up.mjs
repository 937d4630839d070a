import { join } from "node:path";
import { build, isBuilt } from "./build.mjs";
import { toolEnvironment } from "./environment.mjs";
import { install, isInstalled } from "./install.mjs";
import { withLock } from "./lock.mjs";
import { ensurePnpm, pnpmFolders } from "./pnpm.mjs";
import { requirePrerequisites } from "./prerequisites.mjs";
import { cache } from "./root.mjs";

/**
 * Prepares a fresh clone: prerequisites, pnpm, dependencies, build. Skips completed steps.
 * `optional` programs may be missing. Resolves with the environment for tools, and whether anything was built now.
 */
export async function setUp({ optional = [] } = {}) {
  requirePrerequisites({ optional });
  if (isInstalled() && isBuilt()) return { env: toolEnvironment({ folders: pnpmFolders() ?? [] }), built: false };
  return withLock(join(cache, "set-up.lock"), async () => {
    const env = toolEnvironment({ folders: await ensurePnpm() });
    if (!isInstalled()) await install({ env });
    if (isBuilt()) return { env, built: false };
    await build({ env });
    return { env, built: true };
  });
}

/** The environment in which `pnpm` is the pinned one. */
export async function setUpPnpm() {
  requirePrerequisites();
  const folders = pnpmFolders() ?? (await withLock(join(cache, "set-up.lock"), ensurePnpm));
  return toolEnvironment({ folders });
}
