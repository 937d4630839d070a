import type { Duplex } from "node:stream";
import { FRAME } from "./frame.js";
import { agreedVersion, Beat, ClientHello, decode, encode, type NodeHello, PROTOCOL, type VersionRange } from "./hello.js";
import { type NodeIdentity, prove } from "./identity.js";
import { type Mux, mux } from "./mux.js";
import { LEASE, type Lease } from "./presence.js";
import type { Timer } from "./timer.js";
import type { OpenWire, WireEnd } from "./wire.js";

export interface ServeOptions {
  readonly identity: NodeIdentity;
  readonly about: Pick<NodeHello, "tmpm" | "host_name" | "user" | "home">;
  readonly timer: Timer;
  /** Accepts an exchange of the other end. */
  readonly serve: (exchange: Duplex) => void;
  /** As for `connectLink`. */
  readonly preamble?: boolean;
  readonly protocol?: VersionRange;
  readonly lease?: Lease;
}

export interface ServedLink {
  readonly closed: Promise<WireEnd>;
  close(): void;
}

const CAPABILITIES: readonly string[] = [];

/** The node's end of a link. It sends no requests, and ends after silence for the length of the lease. */
export function serveLink(openWire: OpenWire, options: ServeOptions): ServedLink {
  const { identity, about, timer, serve, protocol = PROTOCOL, lease = LEASE } = options;
  let heardAt = timer.now();
  let isGreeted = false;
  let settleEnd: (end: WireEnd) => void = () => undefined;
  const closed = new Promise<WireEnd>((settle) => {
    settleEnd = settle;
  });
  const muxed: Mux = mux(openWire, {
    preamble: options.preamble ?? true,
    opened: (exchange) => (isGreeted ? serve(exchange) : void exchange.destroy(new Error("no greeting was received before"))),
    heard: () => {
      heardAt = timer.now();
    },
    control(type, payload) {
      if (type === FRAME.hello) greet(decode(ClientHello, payload));
      else if (type === FRAME.ping) muxed.control(FRAME.pong, encode({ at: decode(Beat, payload).at, clock_ms: timer.wall() }));
    },
    closed(end) {
      stop();
      settleEnd(end);
    },
  });
  const stop = timer.every(lease.beatMs, () => {
    if (timer.now() - heardAt >= lease.offlineMs) muxed.close({ reason: "nothing was received for the duration of the lease" });
  });

  /** Also to a client of an unsupported version: the other end reports the versions. */
  function greet({ versions, nonce }: ClientHello): void {
    const hello = { versions: [...protocol], ...about, ...prove(identity, nonce), clock_ms: timer.wall(), capabilities: [...CAPABILITIES] };
    muxed.control(FRAME.hello, encode(hello));
    isGreeted = agreedVersion(protocol, versions) !== null;
  }

  return { closed, close: () => muxed.close({ reason: "closed by the node" }) };
}
