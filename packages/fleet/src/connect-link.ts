import { randomBytes } from "node:crypto";
import { TmpmError } from "@tmpm/core";
import * as z from "zod";
import { BadFrame, FRAME } from "./frame.js";
import { agreedVersion, Beat, type ClientHello, decode, encode, NodeHello, PROTOCOL, Refusal, type VersionRange } from "./hello.js";
import { isProven } from "./identity.js";
import { type Mux, mux } from "./mux.js";
import type { NodeLink, Peer } from "./node-link.js";
import { LEASE, type Lease } from "./presence.js";
import type { Timer } from "./timer.js";
import type { OpenWire, WireEnd } from "./wire.js";

export interface ConnectOptions {
  /** This tmpm's version. */
  readonly version: string;
  readonly timer: Timer;
  /** Whether the wire is a stream of bytes (default), or carries messages. */
  readonly preamble?: boolean;
  readonly protocol?: VersionRange;
  readonly lease?: Lease;
  /** Time limit for the node's greeting; default 20,000 ms. */
  readonly deadlineMs?: number;
  readonly newNonce?: () => string;
  /** Aborts, with its reason. */
  readonly signal?: AbortSignal;
}

/** Greets the node at the other end of a wire. @throws NODE_OFFLINE with the reason, DAEMON_VERSION when no version of the protocol is common */
export function connectLink(openWire: OpenWire, options: ConnectOptions): Promise<NodeLink> {
  const { version, timer, protocol = PROTOCOL, lease = LEASE, deadlineMs = 20_000, signal } = options;
  const nonce = (options.newNonce ?? (() => randomBytes(24).toString("base64url")))();
  let heardAt = timer.now();
  let skew = 0;
  let roundTrip: number | null = null;
  let peer: Peer | null = null;
  let refusal: TmpmError | null = null;
  let stops: readonly (() => void)[] = [];

  return new Promise((resolve, reject) => {
    let settleEnd: (end: WireEnd) => void = () => undefined;
    const closed = new Promise<WireEnd>((settle) => {
      settleEnd = settle;
    });
    const abort = () => muxed.close({ reason: "the connection attempt was cancelled" });
    const muxed: Mux = mux(openWire, {
      preamble: options.preamble ?? true,
      opened: null,
      heard: () => {
        heardAt = timer.now();
      },
      control(type, payload) {
        if (type === FRAME.hello) greeted(payload);
        else if (type === FRAME.pong) measured(decode(Beat, payload));
      },
      closed(end) {
        for (const stop of stops) stop();
        signal?.removeEventListener("abort", abort);
        settleEnd(end);
        if (peer === null) reject(refusal ?? offline(end));
      },
    });
    const late = timer.after(deadlineMs, () => muxed.close({ reason: `no greeting within ${Math.round(deadlineMs / 1000)} s` }));
    stops = [late];
    signal?.addEventListener("abort", abort, { once: true });
    muxed.control(FRAME.hello, encode({ versions: [...protocol], tmpm: version, nonce } satisfies ClientHello));

    function greeted(payload: Uint8Array): void {
      if (peer !== null) throw new BadFrame("it sent a second greeting");
      const hello = decode(z.union([Refusal, NodeHello]), payload);
      const fault = "refused" in hello ? offline({ reason: hello.refused, ...hintOf(hello.hint) }) : faultOf(hello);
      const agreed = "refused" in hello ? null : agreedVersion(protocol, hello.versions);
      if (fault !== null || agreed === null || "refused" in hello) {
        refusal = fault;
        muxed.close({ reason: fault?.message ?? "refused" });
        return;
      }
      const { node_id, tmpm, host_name, user, home, capabilities } = hello;
      peer = { node_id, tmpm, host_name, user, home, capabilities, version: agreed };
      skew = hello.clock_ms - timer.wall();
      late();
      stops = [timer.every(lease.beatMs, beat)];
      beat();
      resolve(link(peer));
    }

    function faultOf(hello: NodeHello): TmpmError | null {
      if (agreedVersion(protocol, hello.versions) === null) return versionFault(hello, { protocol, version });
      return isProven(hello, nonce) ? null : offline({ reason: "the node did not prove that it owns its id" });
    }

    /** A node that is silent for this long is gone, regardless of the connection's state. */
    function beat(): void {
      if (timer.now() - heardAt >= lease.offlineMs) muxed.close({ reason: `silent for ${Math.round(lease.offlineMs / 1000)} s` });
      else muxed.control(FRAME.ping, encode({ at: timer.now() } satisfies Beat));
    }

    function measured({ at, clock_ms }: Beat): void {
      roundTrip = Math.max(0, timer.now() - at);
      if (clock_ms !== undefined) skew = clock_ms + roundTrip / 2 - timer.wall();
    }

    function link(known: Peer): NodeLink {
      let end: WireEnd | null = null;
      void closed.then((ended) => {
        end = ended;
      });
      return {
        peer: known,
        open() {
          if (end !== null) throw offline(end);
          return opened(muxed);
        },
        exchanges: () => muxed.channels(),
        silentMs: () => timer.now() - heardAt,
        skewMs: () => skew,
        roundTripMs: () => roundTrip,
        closed,
        close: () => muxed.close({ reason: "closed by this end" }),
      };
    }
  });
}

function opened(muxed: Mux) {
  try {
    return muxed.open();
  } catch (error) {
    throw offline({ reason: error instanceof Error ? error.message : "the link is closed" });
  }
}

export function offline({ reason, hint }: WireEnd): TmpmError {
  return new TmpmError("NODE_OFFLINE", reason, hintOf(hint));
}

function hintOf(hint: string | undefined): { readonly hint?: string } {
  return hint === undefined ? {} : { hint };
}

function versionFault({ tmpm, versions }: NodeHello, { protocol, version }: { protocol: VersionRange; version: string }): TmpmError {
  const older = versions[1] < protocol[0];
  return new TmpmError(
    "DAEMON_VERSION",
    `the node runs tmpm ${tmpm}, which speaks versions ${versions[0]} to ${versions[1]} of the link's protocol; tmpm ${version} here speaks ${protocol[0]} to ${protocol[1]}`,
    { hint: older ? "Update tmpm at the node." : "Update tmpm here.", details: { daemon_version: tmpm, client_version: version } },
  );
}
