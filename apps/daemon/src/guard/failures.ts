/** Counts failed authentications per peer. */
export interface Failures {
  /** Counts one. Returns the seconds its peer must wait when over the limit; null otherwise. */
  count(peer: string): number | null;
}

export interface FailuresOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Number of failures per `windowMs` that are answered as failed authentication. */
  readonly limit?: number;
  readonly windowMs?: number;
  /** Maximum number of remembered peers; the oldest is dropped. */
  readonly maxPeers?: number;
}

/**
 * All users of a machine are one peer on its loopback address, so valid tokens are never locked out: only failures are delayed (reliability C6).
 * IPv6 peers count by network, since one host may use every address of it.
 */
export function failures({ now, limit = 10, windowMs = 60_000, maxPeers = 1024 }: FailuresOptions): Failures {
  const peers = new Map<string, { readonly since: number; readonly count: number }>();
  return {
    count(peer) {
      const key = networkOf(peer);
      const known = peers.get(key);
      const current = known === undefined || now() - known.since >= windowMs ? { since: now(), count: 0 } : known;
      if (current !== known) peers.delete(key);
      peers.set(key, { since: current.since, count: current.count + 1 });
      if (peers.size > maxPeers) for (const [oldest] of [...peers].slice(0, peers.size - maxPeers)) peers.delete(oldest);
      if (current.count < limit) return null;
      return Math.max(1, Math.ceil((current.since + windowMs - now()) / 1000));
    },
  };
}

function networkOf(peer: string): string {
  if (!peer.includes(":") || peer.includes(".")) return peer;
  const [head = "", tail = ""] = peer.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const zeros = Array.from({ length: Math.max(0, 8 - groups(head).length - groups(tail).length) }, () => "0");
  return [...groups(head), ...zeros, ...groups(tail)].slice(0, 4).join(":");
}
