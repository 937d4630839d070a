/** The known state of a node, by the listener's clock: it never depends on the node's. */
export type Presence = "connecting" | "online" | "suspect" | "offline";

/** Interval of heartbeats, and the meaning of silence by its duration, in ms. */
export interface Lease {
  readonly beatMs: number;
  readonly suspectMs: number;
  readonly offlineMs: number;
}

export const LEASE: Lease = { beatMs: 5_000, suspectMs: 15_000, offlineMs: 45_000 };

export function presenceAfter(silentMs: number, { suspectMs, offlineMs }: Lease): Exclude<Presence, "connecting"> {
  if (silentMs >= offlineMs) return "offline";
  return silentMs >= suspectMs ? "suspect" : "online";
}
