import type { NodeAnswer, NodeList } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { command } from "../command.js";
import type { Context } from "../context.js";
import { examineNode, type NodeCheck } from "../fleet/examine-node.js";
import { usageError } from "../parse/usage-error.js";
import { renderChecks, renderNode, renderNodes } from "../render/nodes.js";

const ACTIONS = ["ls", "add", "rm", "show", "doctor"] as const;
const CONNECT_MS = 20_000;

type Result =
  | { readonly kind: "list"; readonly list: NodeList }
  | { readonly kind: "node" | "added" | "removed"; readonly node: NodeAnswer }
  | { readonly kind: "examined"; readonly checks: readonly NodeCheck[] };

export const nodes = command({
  name: "nodes",
  summary: "Other machines: add, list, examine, remove",
  more: `A node is another machine with tmpm, reached with your own ssh: its configuration, keys and agent. \`tmpm ls\` lists the sessions of all nodes, and every
verb takes NODE:SESSION, or --on NODE. ssh must not ask anything: try \`ssh HOST true\` first. See docs/fleet.md.

  tmpm nodes
  tmpm nodes add build1 --ssh build1.example.org
  tmpm nodes add gpu --ssh me@10.0.0.7 --command "/opt/tmpm/bin/tmpm node --stdio"
  tmpm nodes show build1
  tmpm nodes doctor
  tmpm nodes rm build1                       its sessions go on`,
  args: {
    action: { takes: "optional", label: "ACTION", summary: "ls (default), add, rm, show or doctor", choices: ACTIONS },
    node: { takes: "optional", label: "NODE", summary: "add: label of your choice; rm, show, doctor: node" },
  },
  options: {
    ssh: { takes: "text", label: "HOST", summary: "add: host, as ssh takes it" },
    command: { takes: "text", label: "COMMAND", summary: 'add: command to run there (default: "tmpm node --stdio")' },
  },
  async run({ action = "ls", node, ssh, command: there }, context): Promise<Result> {
    if (action !== "add" && (ssh !== undefined || there !== undefined))
      throw usageError("--ssh and --command go with add", "See `tmpm nodes --help`.");
    const client = context.client();
    switch (action) {
      case "ls":
        if (node !== undefined) throw usageError("ls takes no node", `tmpm nodes show ${node}`);
        return { kind: "list", list: await client.nodes() };
      case "add":
        return { kind: "added", node: await added(client, { label: required(node, "add"), ssh, command: there }) };
      case "rm":
        return { kind: "removed", node: await client.removeNode({ node: required(node, "rm") }) };
      case "show":
        return { kind: "node", node: await client.node({ node: required(node, "show") }) };
      case "doctor":
        return { kind: "examined", checks: await examined(client, { node, context }) };
    }
  },
  render(result, view) {
    switch (result.kind) {
      case "list":
        return result.list.nodes.length === 0 ? "" : renderNodes(result.list, view);
      case "examined":
        return renderChecks(result.checks, view);
      case "removed":
        return `removed ${result.node.label}`;
      case "added":
      case "node":
        return renderNode(result.node, view);
    }
  },
  json(result) {
    if (result.kind === "list") return JSON.stringify(result.list);
    return JSON.stringify(result.kind === "examined" ? { checks: result.checks, next: null } : result.node);
  },
  notes(result) {
    if (result.kind === "list" && result.list.nodes.length === 0) return ["no nodes; add one with `tmpm nodes add LABEL --ssh HOST`"];
    if (result.kind !== "added" || result.node.presence === "online") return [];
    return ["added, but it does not answer yet; tmpm keeps trying", ...(result.node.hint === null ? [] : [result.node.hint])];
  },
  exit: (result) => (result.kind === "examined" && result.checks.some(({ ok }) => !ok) ? 1 : 0),
});

function required(node: string | undefined, action: string): string {
  if (node === undefined) throw usageError(`${action} needs a node`, "See `tmpm nodes --help`.");
  return node;
}

interface Adding {
  readonly label: string;
  readonly ssh: string | undefined;
  readonly command: string | undefined;
}

async function added(client: Client, { label, ssh, command: there }: Adding): Promise<NodeAnswer> {
  if (ssh === undefined) throw usageError("how the node is reached is not said", `tmpm nodes add ${label} --ssh HOST`);
  const body = { label, ssh: { host: ssh, ...(there === undefined ? {} : { command: there }) }, wait_ms: CONNECT_MS };
  return client.addNode(body, { timeoutMs: CONNECT_MS + 15_000 });
}

async function examined(
  client: Client,
  { node, context }: { readonly node: string | undefined; readonly context: Context },
): Promise<readonly NodeCheck[]> {
  const chosen = node === undefined ? (await client.nodes()).nodes : [await client.node({ node })];
  const found = await Promise.all(
    chosen.map((each) => examineNode(each, { client: context.at(each.label).client(), version: context.version })),
  );
  return found.flat();
}
