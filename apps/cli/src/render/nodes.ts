import type { NodeAnswer, NodeList } from "@tmpm/api";
import type { View } from "../context.js";
import type { NodeCheck } from "../fleet/examine-node.js";
import { age, fromNow } from "./age.js";
import { oneLine } from "./one-line.js";
import { promptsWait } from "./prompts-wait.js";
import { table } from "./table.js";

const HEAD = ["NODE", "STATE", "FOR", "HOST", "TMPM", "WHAT"];

export function renderNodes({ nodes }: NodeList, view: View): string {
  const rows = nodes.map((node) => [node.label, node.presence, age(node.since, view.now), reached(node), node.version ?? "-", what(node)]);
  return table({ head: HEAD, rows, spare: [4, 3, 2], room: 24 }, view);
}

export function renderNode(node: NodeAnswer, view: View): string {
  const { label, presence, ssh, nats, labels, user, host_name, version, node_id, last_seen_at, skew_ms, round_trip_ms } = node;
  const facts = [
    `${label}: ${presence}${node.reason === null ? "" : `: ${node.reason}`}`,
    ...(nats !== null ? [] : [`  ssh: ${ssh.host}${ssh.command === null ? "" : ` (${ssh.command})`}`]),
    ...(nats === null ? [] : [`  nats: ${nats.url}, as ${nats.client} to ${nats.node}`]),
    ...(labels.length === 0 ? [] : [`  labels: ${labels.join(", ")}`]),
    ...(node_id === null ? [] : [`  node: ${user}@${host_name}, tmpm ${version}, id ${node_id}`]),
    ...(last_seen_at === null ? [] : [`  last seen: ${fromNow(last_seen_at, view.now)}`]),
    ...(skew_ms === null ? [] : [`  clock: ${skew_ms} ms ahead${round_trip_ms === null ? "" : `; round trip: ${round_trip_ms} ms`}`]),
    ...(node.waiting === 0 ? [] : [`  waiting prompts: ${node.waiting}`]),
    ...(node.same_node_as.length === 0 ? [] : [`  same key as: ${node.same_node_as.join(", ")}`]),
  ];
  return facts.map(oneLine).join("\n");
}

export function renderChecks(checks: readonly NodeCheck[], view: View): string {
  if (checks.length === 0) return "";
  const rows = checks.map(({ node, check, ok, message, hint }) => [
    node,
    check.replaceAll("_", " "),
    ok ? "ok" : "failed",
    hint === null ? message : `${message}; ${hint}`,
  ]);
  return table({ head: ["NODE", "CHECK", "RESULT", "WHAT"], rows }, view);
}

function reached({ ssh, nats }: NodeAnswer): string {
  return nats?.url ?? ssh.host;
}

function what({ reason, same_node_as, skew_ms, waiting }: NodeAnswer): string {
  const kept = promptsWait(waiting, "it");
  if (reason !== null) return kept === null ? reason : `${kept}; ${reason}`;
  if (kept !== null) return kept;
  if (same_node_as.length > 0) return `same key as ${same_node_as.join(", ")}`;
  return skew_ms !== null && Math.abs(skew_ms) > 2_000 ? `clock ${Math.round(skew_ms / 1000)} s ahead` : "";
}
