import { join } from "node:path";
import { isTmpmError } from "@tmpm/core/errors";
import { currentLocation, currentUid } from "./current-location.js";
import { checkPrivateDir } from "./private-dir.js";

/** `node:module`, with functions missing in Node 20. */
interface NodeModule extends Pick<typeof import("node:module"), "builtinModules"> {
  readonly enableCompileCache?: (folder: string) => unknown;
  /** Writes the compiled code; Node does so itself only at a regular exit of the process. */
  readonly flushCompileCache?: () => void;
}

/** Time after which the start is complete, in ms. */
const STARTED_MS = 5_000;

/**
 * Enables Node's compile cache (Node 22.8 and newer) in the home folder, for the modules loaded from now on.
 * Only in a home that is closed to other users, because a user who can write that code can run code as its owner.
 */
export function keepCompiledCode(env: Readonly<Record<string, string | undefined>>): void {
  const { enableCompileCache, flushCompileCache }: NodeModule = process.getBuiltinModule("node:module");
  if (enableCompileCache === undefined || flushCompileCache === undefined) return;
  const home = privateHome(env);
  if (home === null) return;
  // Node creates the folders itself, with the modes allowed by the umask.
  const mask = process.umask(0o077);
  enableCompileCache(join(home, "compiled"));
  process.umask(mask);
  setTimeout(flushCompileCache, STARTED_MS).unref();
}

/** Null before the first start, and if the home is unsafe or unknown; the program reports that itself. */
function privateHome(env: Readonly<Record<string, string | undefined>>): string | null {
  try {
    const { home } = currentLocation(env);
    return checkPrivateDir(home, currentUid()) ? home : null;
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return null;
  }
}
