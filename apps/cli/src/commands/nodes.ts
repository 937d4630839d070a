import type { Input, NodeAnswer, NodeList, NodePrompt, NodePromptList } from "@tmpm/api";
import type { Client } from "@tmpm/api/client";
import { command } from "../command.js";
import { NO_VALUES } from "../completion/completions.js";
import type { Context } from "../context.js";
import { examineNode, type NodeCheck } from "../fleet/examine-node.js";
import { namedOption } from "../fleet/named-option.js";
import { usageError } from "../parse/usage-error.js";
import { answerOf, FLAG, listOf, NO_NEXT, OR_NULL, objectOf, TEXT } from "../printed.js";
import { nodePromptLine, renderNodePrompts } from "../render/node-prompts.js";
import { renderChecks, renderNode, renderNodes } from "../render/nodes.js";

const ACTIONS = ["ls", "add", "set", "rm", "show", "doctor", "key", "waiting", "cancel"] as const;
const CONNECT_MS = 20_000;

/** The key and name by which other machines and NATS servers identify this one. */
interface OwnKey {
  readonly node_id: string;
  readonly nkey: string;
}

type Result =
  | { readonly kind: "list"; readonly list: NodeList }
  | { readonly kind: "node" | "added" | "changed" | "removed"; readonly node: NodeAnswer }
  | { readonly kind: "key"; readonly key: OwnKey }
  | { readonly kind: "waiting"; readonly list: NodePromptList }
  | { readonly kind: "cancelled"; readonly prompt: NodePrompt }
  | { readonly kind: "examined"; readonly checks: readonly NodeCheck[] };

const NODE_CHECK = objectOf({ node: TEXT, check: TEXT, ok: FLAG, message: TEXT, hint: { type: OR_NULL } });

export const nodes = command({
  name: "nodes",
  group: "Set up tmpm",
  summary: "Other machines: add, list, examine, change, remove",
  more: `A node is another machine with tmpm, reached with your own ssh (its configuration, keys and agent) or on a NATS server. \`tmpm ls\` lists the sessions of all
nodes, and every verb takes NODE:SESSION, or --on NODE. ssh must not prompt: try \`ssh HOST true\` first. See docs/fleet.md.

  tmpm nodes
  tmpm nodes add build1 --ssh build1.example.org
  tmpm nodes add big --ssh me@10.0.0.7 --label gpu --command "/opt/tmpm/bin/tmpm node --stdio"
  tmpm nodes add build3 --ssh build3 --install     copies tmpm there first, after a question
  tmpm nodes add build2 --nats tls://nats.example.org:4222 --as ada
  tmpm nodes key                             this machine's key, for the NATS server's configuration
  tmpm nodes set build1 --label gpu --label big   replaces its labels
  tmpm nodes show build1
  tmpm nodes doctor
  tmpm nodes waiting                         prompts of \`tmpm send --when-online\`
  tmpm nodes cancel 0b6f3c5a                 one of them
  tmpm nodes rm build1                       its sessions keep running`,
  args: {
    action: {
      takes: "optional",
      label: "ACTION",
      summary: "ls (default), add, set, rm, show, doctor, key, waiting or cancel",
      choices: ACTIONS,
    },
    node: {
      takes: "optional",
      label: "NODE",
      summary: "add: name of your choice; set, rm, show, doctor, waiting: node; cancel: id of a prompt",
      completes: ([action = ""]) => (["rm", "show", "set", "doctor", "waiting"].includes(action) ? { kind: "nodes" } : NO_VALUES),
    },
  },
  options: {
    ssh: { takes: "text", label: "HOST", summary: "add: host, as ssh accepts it" },
    command: { takes: "text", label: "COMMAND", summary: 'add --ssh: command to run there (default: "tmpm node --stdio")' },
    install: { takes: "flag", summary: "add --ssh: copy this tmpm there if it is missing; shows the changes and asks for confirmation" },
    yes: { takes: "flag", summary: "add --install: do not ask" },
    nats: { takes: "text", label: "URL", summary: "add: NATS server that the node answers on" },
    as: { takes: "text", label: "NAME", summary: "add --nats: the name of this machine on the server" },
    name: { takes: "text", label: "NAME", summary: "add --nats: the name of the node on the server (default: NODE)" },
    label: { takes: "texts", label: "LABEL", summary: "add, set: a capability, for `tmpm new --on any --label`; may be repeated" },
    noLabels: { takes: "flag", summary: "set: remove all labels" },
  },
  printed: {
    forms: [
      answerOf("nodes"),
      answerOf("node"),
      answerOf("nodePrompts"),
      answerOf("cancelNodePrompt"),
      objectOf({ checks: listOf(NODE_CHECK), ...NO_NEXT }),
      objectOf({ node_id: TEXT, nkey: TEXT }),
    ],
  },
  async run({ action = "ls", node, install, yes, ...how }, context): Promise<Result> {
    checkInstall({ action, install, yes, ...how });
    checkOptions(action, how);
    if (action === "key") return { kind: "key", key: await ownKey(context, node) };
    const client = context.client();
    switch (action) {
      case "ls":
        if (node !== undefined) throw usageError("ls does not accept a node", `tmpm nodes show ${node}`);
        return { kind: "list", list: await client.nodes() };
      case "add":
        return {
          kind: "added",
          node: await added(client, await installed(addition(required(node, "add"), how), { install, yes, context, client })),
        };
      case "set":
        return { kind: "changed", node: await changed(client, { node: required(node, "set"), ...how }) };
      case "rm":
        return { kind: "removed", node: await client.removeNode({ node: required(node, "rm") }) };
      case "show":
        return { kind: "node", node: await client.node({ node: required(node, "show") }) };
      case "waiting":
        return { kind: "waiting", list: await client.nodePrompts({ node: node === undefined ? [] : [node] }) };
      case "cancel":
        return { kind: "cancelled", prompt: await client.cancelNodePrompt({ prompt: requiredId(node) }) };
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
      case "key":
        return result.key.nkey;
      case "waiting":
        return renderNodePrompts(result.list, view);
      case "cancelled":
        return nodePromptLine(result.prompt);
      case "removed":
        return `removed ${result.node.label}`;
      case "added":
      case "changed":
      case "node":
        return renderNode(result.node, view);
    }
  },
  json(result) {
    if (result.kind === "list" || result.kind === "waiting") return JSON.stringify(result.list);
    if (result.kind === "cancelled") return JSON.stringify(result.prompt);
    if (result.kind === "key") return JSON.stringify(result.key);
    return JSON.stringify(result.kind === "examined" ? { checks: result.checks, next: null } : result.node);
  },
  notes(result) {
    if ((result.kind === "list" && result.list.nodes.length === 0) || (result.kind === "examined" && result.checks.length === 0))
      return ["no nodes; add one with `tmpm nodes add LABEL --ssh HOST`, or `--nats URL`"];
    if (result.kind === "waiting" && result.list.prompts.length === 0)
      return ["no prompts wait for nodes; `tmpm send NODE:SESSION --when-online TEXT` leaves one"];
    if (result.kind !== "added" || result.node.presence === "online") return [];
    return ["added, but it does not answer yet; tmpm keeps trying", ...(result.node.hint === null ? [] : [result.node.hint])];
  },
  exit: (result) => (result.kind === "examined" && result.checks.some(({ ok }) => !ok) ? 1 : 0),
});

function requiredId(prompt: string | undefined): string {
  if (prompt === undefined) throw usageError("cancel needs the id of a prompt", "`tmpm nodes waiting` lists them.");
  return prompt;
}

function required(node: string | undefined, action: string): string {
  if (node === undefined) throw usageError(`${action} needs a node`, "See `tmpm nodes --help`.");
  return node;
}

interface How {
  readonly ssh: string | undefined;
  readonly command: string | undefined;
  readonly nats: string | undefined;
  readonly as: string | undefined;
  readonly name: string | undefined;
  readonly label: readonly string[];
  readonly noLabels: boolean;
}

function checkOptions(action: (typeof ACTIONS)[number], { label, noLabels, ...reached }: How): void {
  if (noLabels && action !== "set") throw usageError("--no-labels applies to set only", "Without --label, a node is added without labels.");
  if (action !== "add" && Object.values(reached).some((value) => value !== undefined))
    throw usageError(
      "--ssh, --nats and their related options apply to add only",
      "To change the connection, remove the node and add it again.",
    );
  if (action !== "add" && action !== "set" && label.length > 0)
    throw usageError("--label applies to add and set only", "See `tmpm nodes --help`.");
}

function checkInstall({
  action,
  install,
  yes,
  command: there,
  nats,
}: Pick<How, "command" | "nats"> & { action: string; install: boolean; yes: boolean }): void {
  if (install && action !== "add") throw usageError("--install applies to add only", "See `tmpm nodes --help`.");
  if (yes && !install) throw usageError("--yes requires --install", "See `tmpm nodes --help`.");
  if (install && nats !== undefined)
    throw usageError("--install requires --ssh", "On a NATS server the node runs `tmpm node --nats` itself.");
  if (install && there !== undefined) throw usageError("--install and --command are mutually exclusive", "Give one of them.");
}

interface Installing {
  readonly install: boolean;
  readonly yes: boolean;
  readonly context: Context;
  readonly client: Client;
}

/** The same node, with the command of the tmpm that was put there. */
async function installed(node: Addition, { install, yes, context, client }: Installing): Promise<Addition> {
  if (!install || node.ssh === undefined) return node;
  const { requireAddable } = await import("../fleet/require-addable.js");
  await requireAddable(client, { label: node.label, host: node.ssh.host, labels: node.labels ?? [] });
  const { installOnNode } = await import("../fleet/install-on-node.js");
  const command = await installOnNode(context, { host: node.ssh.host, yes });
  return command === null ? node : { ...node, ssh: { ...node.ssh, command } };
}

type Addition = Pick<Input<"addNode">, "label" | "ssh" | "nats" | "labels">;

function addition(label: string, { label: labels, noLabels: _, ...how }: How): Addition {
  const given = labels.length === 0 ? {} : { labels: [...labels] };
  return { label, ...given, ...reachedBy(label, how) };
}

function reachedBy(
  label: string,
  { ssh, command: there, nats, as, name }: Omit<How, "label" | "noLabels">,
): Pick<Addition, "ssh" | "nats"> {
  if ((ssh === undefined) === (nats === undefined))
    throw usageError(
      ssh === undefined ? "the connection to the node is missing" : "--ssh and --nats are mutually exclusive",
      `tmpm nodes add ${label} --ssh HOST, or --nats URL --as NAME`,
    );
  if (nats === undefined) {
    if (as !== undefined || name !== undefined) throw usageError("--as and --name require --nats", "See `tmpm nodes --help`.");
    return { ssh: { host: ssh ?? "", ...(there === undefined ? {} : { command: there }) } };
  }
  if (there !== undefined) throw usageError("--command requires --ssh", "On a NATS server the node runs `tmpm node --nats` itself.");
  if (as === undefined)
    throw usageError("--as is missing: the name of this machine on the NATS server", "Give --as NAME, as in the server's configuration.");
  return { nats: { url: nats, node: name ?? label, client: as } };
}

async function added(client: Client, node: Addition): Promise<NodeAnswer> {
  try {
    return await client.addNode({ ...node, wait_ms: CONNECT_MS }, { timeoutMs: CONNECT_MS + 15_000 });
  } catch (error) {
    throw namedOption(error, node.labels ?? []);
  }
}

type Change = Pick<How, "label" | "noLabels"> & { readonly node: string };

async function changed(client: Client, { node, label, noLabels }: Change): Promise<NodeAnswer> {
  if (noLabels === label.length > 0)
    throw usageError(
      noLabels ? "--label and --no-labels are mutually exclusive" : "the change is missing",
      `tmpm nodes set ${node} --label LABEL, or --no-labels`,
    );
  try {
    return await client.setNode({ node, labels: [...label] });
  } catch (error) {
    throw namedOption(error, label);
  }
}

async function ownKey(context: Context, node: string | undefined): Promise<OwnKey> {
  if (node !== undefined) throw usageError("key does not accept a node", "The key is this machine's; for another machine's, run it there.");
  const { nkeyOf } = await import("../fleet-library.js");
  const { ownIdentity } = await import("../fleet/own-identity.js");
  const identity = await ownIdentity(context.location());
  return { node_id: identity.node_id, nkey: nkeyOf(identity).public_key };
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
