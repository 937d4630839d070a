import type { NodeAnswer } from "@tmpm/api";
import { timestampFromMs } from "@tmpm/core";
import type { NodeState } from "@tmpm/fleet";
import type { KeptNode } from "./node-record.js";

export interface NodeFacts {
  readonly kept: KeptNode;
  readonly state: NodeState;
  readonly sameNodeAs: readonly string[];
  readonly waiting: number;
}

export function nodeAnswer({ kept, state, sameNodeAs, waiting }: NodeFacts): NodeAnswer {
  const { label, ssh, nats, labels, added_at, seen } = kept;
  const { presence, since, error, heardAt, link } = state;
  return {
    label,
    ssh: ssh ?? { host: "", command: null },
    nats,
    labels: [...labels],
    added_at,
    presence,
    since: timestampFromMs(since),
    last_seen_at: heardAt === null ? (seen?.at ?? null) : timestampFromMs(heardAt),
    reason: error?.message ?? null,
    hint: error?.hint ?? null,
    node_id: link?.peer.node_id ?? seen?.node_id ?? null,
    same_node_as: [...sameNodeAs],
    host_name: link?.peer.host_name ?? seen?.host_name ?? null,
    user: link?.peer.user ?? seen?.user ?? null,
    home: link?.peer.home ?? seen?.home ?? null,
    version: link?.peer.tmpm ?? seen?.version ?? null,
    skew_ms: link === null ? null : Math.round(link.skewMs()),
    round_trip_ms: link === null ? null : rounded(link.roundTripMs()),
    waiting,
  };
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}
