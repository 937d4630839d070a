import { NodeAnswer } from "@tmpm/api";

/** A node as in the daemon's responses, checked against the contract. */
export function nodeAnswer(changes: Record<string, unknown> = {}): NodeAnswer {
  const at = "2026-01-01T00:00:00Z";
  return NodeAnswer.parse({
    label: "build1",
    ssh: { host: "build1.example.org", command: null },
    nats: null,
    added_at: at,
    presence: "online",
    since: at,
    last_seen_at: at,
    reason: null,
    hint: null,
    node_id: null,
    same_node_as: [],
    host_name: "build1",
    user: "ada",
    home: "/home/ada",
    version: "1.0.0",
    skew_ms: 0,
    round_trip_ms: 1,
    waiting: 0,
    ...changes,
  });
}
