import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Location } from "./location.js";

/** The folder of the sockets at which the daemon passes exchanges on to other machines. */
export function nodeSockets({ socket }: Pick<Location, "socket">): string {
  return join(dirname(socket), "n");
}

/** Where the daemon passes exchanges on to the daemon of one node. */
export function nodeSocket(location: Pick<Location, "socket">, label: string): string {
  return join(nodeSockets(location), `${label}.sock`);
}

/** Where the daemon keeps which nodes there are. */
export function nodesFolder({ home }: Pick<Location, "home">): string {
  return join(home, "nodes");
}

/** Whether any node was ever added and not removed; asks no daemon. */
export function hasNodes(location: Pick<Location, "home">): boolean {
  try {
    return readdirSync(nodesFolder(location)).some((name) => name.endsWith(".json"));
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
