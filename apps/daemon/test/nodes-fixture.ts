import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import { type NodeLink, systemTimer, type Timer } from "@tmpm/fleet";
import { memoryDocuments } from "@tmpm/store/memory";
import { type Fleet, type FleetOptions, fleet } from "../src/fleet/fleet.js";
import type { KeptNode } from "../src/fleet/node-record.js";
import type { NodeStores } from "../src/fleet/node-stores.js";

export interface NodesFixtureOptions {
  /** The link to a node; without it, connecting fails. */
  readonly connect?: (node: KeptNode) => Promise<NodeLink>;
  readonly timer?: Timer;
  readonly idleMs?: () => number;
  readonly stores?: NodeStores;
  readonly report?: FleetOptions["report"];
}

let count = 0;
const dirs: string[] = [];
process.once("exit", () => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
});

/** Other machines, with records in memory and sockets in a temporary folder, which exists as long as the nodes. */
export async function nodesFixture({
  connect,
  timer = systemTimer,
  stores,
  idleMs,
  report = () => undefined,
}: NodesFixtureOptions = {}): Promise<Fleet> {
  count += 1;
  const dir = join(tmpdir(), `tmpm-n${process.pid}-${count}`);
  dirs.push(dir);
  return fleet({
    stores: stores ?? { nodes: memoryDocuments(), sessions: memoryDocuments(), prompts: memoryDocuments() },
    location: { socket: join(dir, "tmpm.sock") },
    connect: connect ?? (() => Promise.reject(new TmpmError("NODE_OFFLINE", "the network is down"))),
    timer,
    ...(idleMs === undefined ? {} : { idleMs }),
    report,
  });
}
