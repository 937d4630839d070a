import { type Location, locate } from "./location.js";
import { lstatFacts } from "./private-dir.js";
import { userHome } from "./user-home.js";

/** The location for this process's user, or for the given environment. @throws SOCKET_PATH_TOO_LONG */
export function currentLocation(env: Readonly<Record<string, string | undefined>> = process.env): Location {
  return locate({ env, uid: currentUid(), userHome, lstat: lstatFacts });
}

/** The effective user id. */
export function currentUid(): number {
  if (process.geteuid === undefined) throw new TypeError("tmpm requires a system with user ids");
  return process.geteuid();
}
