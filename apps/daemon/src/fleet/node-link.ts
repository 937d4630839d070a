import { connectLink, type NodeLink, sshWire, type Timer } from "@tmpm/fleet";
import type { KeptNode } from "./node-record.js";

export interface NodeLinkOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly timer: Timer;
}

/** The link to a node, by what its record says. */
export function nodeLinks({ env, version, timer }: NodeLinkOptions): (node: KeptNode, signal: AbortSignal) => Promise<NodeLink> {
  return ({ ssh: { host, command } }, signal) =>
    connectLink(sshWire({ host, env, ...(command === null ? {} : { command }) }), { version, timer, signal });
}
