import type { Client } from "@tmpm/api/client";
import { TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";

export interface Chosen {
  /** Null for this machine. */
  readonly node: string | null;
  readonly why: string;
}

/**
 * The machine with the fewest running sessions, including this one. With labels, only nodes that have all of them.
 * @throws NODE_NOT_FOUND if no node has the labels, NODE_OFFLINE
 */
export async function anyNode(context: Context, labels: readonly string[]): Promise<Chosen> {
  const client = context.client();
  const node = labels.length === 0 ? [] : await labelled(client, labels);
  const { sessions, nodes } = await client.fleet({ node });
  const running = (label: string | null) => sessions.filter(({ node, state }) => node === label && state === "active").length;
  const able = nodes.filter(({ complete }) => complete).map(({ node }) => ({ node, count: running(node) }));
  const [best] = able.toSorted((one, other) => one.count - other.count);
  if (best === undefined)
    throw new TmpmError("NODE_OFFLINE", `no node${having(labels)} answers`, { hint: "`tmpm nodes doctor` shows why." });
  const sessionsThere = `${best.count} running session${best.count === 1 ? "" : "s"}`;
  const why =
    able.length === 1
      ? `the only machine${having(labels)} that answers`
      : `${sessionsThere}, the fewest of ${able.length} machines${having(labels)} that answer`;
  return { node: best.node, why: `on ${best.node ?? "this machine"}: ${why}` };
}

async function labelled(client: Client, wanted: readonly string[]): Promise<string[]> {
  const { nodes } = await client.nodes();
  const found = nodes.filter(({ labels }) => wanted.every((label) => labels.includes(label))).map(({ label }) => label);
  if (found.length > 0) return found;
  throw new TmpmError("NODE_NOT_FOUND", `no node${having(wanted)} exists`, {
    hint: "`tmpm nodes show NODE` prints a node's labels; `tmpm nodes set --label` sets them.",
    details: { labels: [...new Set(nodes.flatMap(({ labels }) => labels))].toSorted() },
  });
}

function having(labels: readonly string[]): string {
  return labels.length === 0 ? "" : ` with label ${labels.join(" and ")}`;
}
