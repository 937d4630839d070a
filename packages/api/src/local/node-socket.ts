import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { NODE_LABEL_PATTERN, unknownNode } from "@tmpm/core/node-label";
import type { Location } from "./location.js";

/** The folder of the sockets at which the daemon forwards exchanges to other machines. */
export function nodeSockets({ socket }: Pick<Location, "socket">): string {
  return join(dirname(socket), "n");
}

/** The socket at which the daemon forwards exchanges to one node's daemon. @throws NODE_NOT_FOUND for text that is not a label */
export function nodeSocket(location: Pick<Location, "socket">, label: string): string {
  if (!NODE_LABEL_PATTERN.test(label)) throw unknownNode(label);
  return join(nodeSockets(location), `${label}.sock`);
}

/** The daemon's file with the list of nodes. */
export function nodesFolder({ home }: Pick<Location, "home">): string {
  return join(home, "nodes");
}

/** Whether there is any node; does not query a daemon. */
export function hasNodes(location: Pick<Location, "home">): boolean {
  try {
    return readdirSync(nodesFolder(location)).some((name) => name.endsWith(".json"));
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
