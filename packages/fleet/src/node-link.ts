import type { Duplex } from "node:stream";
import type { NodeHello } from "./hello.js";
import type { WireEnd } from "./wire.js";

/** The identity of the other end. */
export type Peer = Pick<NodeHello, "node_id" | "tmpm" | "host_name" | "user" | "home" | "capabilities"> & {
  /** Version of the link's protocol. */
  readonly version: number;
};

/**
 * The interface to another machine: its identity, and exchanges with its daemon. An exchange is the bytes of one HTTP request and its
 * response, or of one WebSocket: requests, events from a number and terminals all use it, by the same contracts as on the daemon's own
 * socket. Only this end starts exchanges.
 */
export interface NodeLink {
  readonly peer: Peer;
  /** Starts an exchange. After a failure its progress is unknown. @throws NODE_OFFLINE when the link is closed */
  open(): Duplex;
  /** Number of exchanges in progress. */
  exchanges(): number;
  /** Time since the last message from the node, in ms. */
  silentMs(): number;
  /** Offset of the node's clock from ours, in ms, as last measured; the error is at most half of `roundTripMs`. */
  skewMs(): number;
  /** Null before the first measurement. */
  roundTripMs(): number | null;
  /** Resolves with the reason once the link has ended. Every exchange has failed then. */
  readonly closed: Promise<WireEnd>;
  /** Idempotent. */
  close(): void;
}
