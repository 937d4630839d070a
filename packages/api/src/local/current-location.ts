import { homedir } from "node:os";
import { type Location, locate } from "./location.js";
import { lstatFacts } from "./private-dir.js";

/** The location for this process's user, or for the environment given. @throws SOCKET_PATH_TOO_LONG */
export function currentLocation(env: Readonly<Record<string, string | undefined>> = process.env): Location {
  return locate({ env, uid: currentUid(), userHome: homedir, lstat: lstatFacts });
}

/** The effective user id. */
export function currentUid(): number {
  if (process.geteuid === undefined) throw new TypeError("tmpm needs a system with user ids");
  return process.geteuid();
}
