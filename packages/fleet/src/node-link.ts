import type { Duplex } from "node:stream";
import type { NodeHello } from "./hello.js";
import type { WireEnd } from "./wire.js";

/** Who answers at the other end. */
export type Peer = Pick<NodeHello, "node_id" | "tmpm" | "host_name" | "user" | "home" | "capabilities"> & {
  /** Of the link's protocol. */
  readonly version: number;
};

/**
 * The seam to another machine: who is there, and exchanges with its daemon. An exchange is the bytes of one HTTP request and its answer, or of one WebSocket:
 * requests, events from a number and terminals all travel in it, by the same contracts as on the daemon's own socket. Only this end begins exchanges.
 */
export interface NodeLink {
  readonly peer: Peer;
  /** Begins an exchange. Its failure means that its progress is unknown. @throws NODE_OFFLINE when the link is closed */
  open(): Duplex;
  /** How many exchanges are under way. */
  exchanges(): number;
  /** How long nothing has come from the node, in ms. */
  silentMs(): number;
  /** How far the node's clock is ahead of ours, in ms, as last measured; at most half of `roundTripMs` wrong. */
  skewMs(): number;
  /** Null until it was measured. */
  roundTripMs(): number | null;
  /** Resolves once the link has ended, and says why. Every exchange has failed then. */
  readonly closed: Promise<WireEnd>;
  /** Idempotent. */
  close(): void;
}
