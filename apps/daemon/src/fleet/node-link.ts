import { join } from "node:path";
import { keptOnce, type Location } from "@tmpm/api/local";
import { TmpmError } from "@tmpm/core";
import { connectLink, keptIdentity, type NodeLink, type OpenWire, sshWire, type Timer } from "@tmpm/fleet";
import type { NatsHub } from "@tmpm/fleet/nats";
import type { KeptNode } from "./node-record.js";

export interface NodeLinkOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly location: Pick<Location, "home">;
  readonly version: string;
  readonly timer: Timer;
}

/** The link to a node, by its record. */
export function nodeLinks({ env, location, version, timer }: NodeLinkOptions): (node: KeptNode, signal: AbortSignal) => Promise<NodeLink> {
  const overNats = natsWires(location);
  return async ({ label, ssh, nats }, signal) => {
    if (ssh !== null) {
      const { host, command } = ssh;
      return connectLink(sshWire({ host, env, ...(command === null ? {} : { command }) }), { version, timer, signal });
    }
    if (nats === null)
      throw new TmpmError("NODE_OFFLINE", `the record of ${label} has neither an ssh host nor a NATS server`, {
        hint: `tmpm nodes rm ${label}`,
      });
    return connectLink(await overNats(nats), { version, timer, signal, preamble: false });
  };
}

/** One connection per server and name, for any number of nodes. The NATS client is loaded on first use. */
function natsWires({ home }: Pick<Location, "home">): (nats: NonNullable<KeptNode["nats"]>) => Promise<OpenWire> {
  const hubs = new Map<string, NatsHub>();
  return async ({ url, node, client }) => {
    const { natsHub, natsWire } = await import("@tmpm/fleet/nats");
    const path = join(home, "node.json");
    const identity = keptIdentity(path, (make) => keptOnce(path, { name: "node.json", make }));
    const key = `${client} ${url}`;
    const hub = hubs.get(key) ?? natsHub({ url, identity, name: `tmpm ${client}` });
    hubs.set(key, hub);
    return natsWire({ hub, node, client });
  };
}
