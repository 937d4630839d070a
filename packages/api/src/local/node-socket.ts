import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { TmpmError } from "@tmpm/core/errors";
import type { Location } from "./location.js";

/** The folder of the sockets at which the daemon forwards exchanges to other machines. */
export function nodeSockets({ socket }: Pick<Location, "socket">): string {
  return join(dirname(socket), "n");
}

/** A label is the name of a file here. As in the contract, which is not loaded for this. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

/** The socket at which the daemon forwards exchanges to one node's daemon. @throws NODE_NOT_FOUND for text that is not a label */
export function nodeSocket(location: Pick<Location, "socket">, label: string): string {
  if (!LABEL.test(label))
    throw new TmpmError("NODE_NOT_FOUND", `unknown node ${label}`, {
      hint: "`tmpm nodes` lists them; `tmpm nodes add` adds one.",
      details: { node: label },
    });
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
