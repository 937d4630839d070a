import { join } from "node:path";
import { isTmpmError } from "@tmpm/core/errors";
import { currentLocation, currentUid } from "./current-location.js";
import { checkPrivateDir } from "./private-dir.js";

/** `node:module`, with what Node 20 does not have. */
interface NodeModule extends Pick<typeof import("node:module"), "builtinModules"> {
  readonly enableCompileCache?: (folder: string) => unknown;
  /** Writes what was compiled; Node itself does so only when a process ends by itself. */
  readonly flushCompileCache?: () => void;
}

/** By then what a start runs has run, in ms. */
const STARTED_MS = 5_000;

/**
 * Lets Node keep the compiled code of what is loaded from now on in the home, and take it from there at the next start, where Node can (22.8 and newer).
 * Only in a home that is closed to other users: who can write that code can run it.
 */
export function keepCompiledCode(env: Readonly<Record<string, string | undefined>>): void {
  const { enableCompileCache, flushCompileCache }: NodeModule = process.getBuiltinModule("node:module");
  if (enableCompileCache === undefined || flushCompileCache === undefined) return;
  const home = privateHome(env);
  if (home === null) return;
  // Node makes the folders at once, with the modes that the mask leaves.
  const mask = process.umask(0o077);
  enableCompileCache(join(home, "compiled"));
  process.umask(mask);
  setTimeout(flushCompileCache, STARTED_MS).unref();
}

/** Null before the first start, and where the home is not safe or cannot be determined, which the program reports itself. */
function privateHome(env: Readonly<Record<string, string | undefined>>): string | null {
  try {
    const { home } = currentLocation(env);
    return checkPrivateDir(home, currentUid()) ? home : null;
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return null;
  }
}
