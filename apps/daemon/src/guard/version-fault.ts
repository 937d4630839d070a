import type { IncomingMessage } from "node:http";
import { PATHS, VERSION_HEADER } from "@tmpm/api";
import { TmpmError } from "@tmpm/core";
import type { Refused } from "./refused.js";

/** Requests accepted from any version: health, and shutdown. */
const ANY_VERSION: readonly string[] = [PATHS.health.path, PATHS.ready.path, PATHS.shutdown.path];

/** Refuses a client of another version before anything is done. */
export function versionFault({ headers, url = "" }: IncomingMessage, version: string): Refused | null {
  const theirs = headers[VERSION_HEADER];
  if (theirs === undefined || theirs === version || ANY_VERSION.includes(url)) return null;
  return {
    error: new TmpmError("DAEMON_VERSION", `the daemon has version ${version}, the client ${String(theirs)}`, {
      hint: "Replace the daemon with `tmpm daemon restart`; sessions keep running.",
      details: { daemon: version, client: theirs },
    }),
  };
}
