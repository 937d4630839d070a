import type { NodeAnswer } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { isTmpmError } from "@tmpm/core";
import type { Message } from "./message.js";
import { type NodeFeed, nodeFeed } from "./node-feed.js";
import type { SessionFeedOptions } from "./session-feed.js";

export interface NodeFeedsOptions {
  /** This machine's daemon, which keeps the links; never started from here. */
  readonly client: Pick<Client, "nodes">;
  readonly at: (node: string) => SessionFeedOptions["client"];
  /** Whether there are any nodes. */
  readonly hasNodes: () => boolean;
  /** Labels of the nodes to show; empty for all. */
  readonly only: readonly string[];
  readonly signal: AbortSignal;
  readonly send: (message: Message) => void;
  /** Receives faults of this program. */
  readonly fail: (error: unknown) => void;
  /** Resolves after the given number of ms, or once the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Interval of querying this machine's daemon for the presence of nodes, in ms. */
const LOOK_MS = 5_000;

/** Reports the sessions of all nodes until the signal: each has its own feed, so that nodes do not delay each other. */
export async function feedNodes(options: NodeFeedsOptions): Promise<void> {
  const { client, hasNodes, only, signal, send, pause } = options;
  const feeds = new Map<string, NodeFeed>();
  while (!signal.aborted) {
    const nodes = feeds.size > 0 || hasNodes() ? await nodesOf(client, signal) : null;
    if (nodes !== null && !signal.aborted) follow(nodes.filter(({ label }) => only.length === 0 || only.includes(label)));
    await pause(LOOK_MS, signal);
  }
  for (const feed of feeds.values()) feed.end();

  function follow(nodes: readonly NodeAnswer[]): void {
    const labels = new Set(nodes.map(({ label }) => label));
    for (const [label, feed] of feeds) {
      if (labels.has(label)) continue;
      feed.end();
      feeds.delete(label);
      send({ kind: "removed", node: label });
    }
    for (const node of nodes) {
      const feed = feeds.get(node.label) ?? nodeFeed(node.label, options);
      feeds.set(node.label, feed);
      feed.isPresent(node);
    }
  }
}

/** Null while this machine's daemon does not answer, which says nothing about its nodes. */
async function nodesOf(client: Pick<Client, "nodes">, signal: AbortSignal): Promise<readonly NodeAnswer[] | null> {
  try {
    return (await client.nodes({}, { signal })).nodes;
  } catch (error) {
    if (signal.aborted || isTmpmError(error)) return null;
    throw error;
  }
}
