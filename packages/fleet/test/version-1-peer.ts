import { createHash, generateKeyPairSync, sign } from "node:crypto";
import type { OpenWire, Wire } from "../src/wire.js";

/** A frame of version 1, read by hand. */
export interface OldFrame {
  readonly type: number;
  readonly channel: number;
  readonly serial: number;
  readonly payload: Buffer;
}

/** The types of version 1, which never change. */
export const OLD = { hello: 1, ping: 2, pong: 3, open: 4, data: 5, credit: 6, end: 7, reset: 8 } as const;

const PREAMBLE = Buffer.from("\0tmpm-link\n", "latin1");

/** A peer that knows version 1 only, written from the description of the protocol, without this package's code. It sends byte by byte. */
export interface OldPeer {
  /** The frames that arrived. */
  readonly heard: OldFrame[];
  send(type: number, channel: number, payload?: Buffer | string): void;
  close(): void;
}

export function oldPeer(openWire: OpenWire, { onFrame }: { readonly onFrame: (frame: OldFrame, peer: OldPeer) => void }): OldPeer {
  const heard: OldFrame[] = [];
  let arrived = Buffer.alloc(0);
  let begun = false;
  let serial = 0;
  const wire: Wire = openWire({ bytes: take, closed: () => undefined });
  const peer: OldPeer = {
    heard,
    send(type, channel, payload = "") {
      const content = Buffer.from(payload);
      const head = Buffer.alloc(13);
      head.writeUInt32BE(9 + content.length, 0);
      head.writeUInt8(type, 4);
      head.writeUInt32BE(channel, 5);
      head.writeUInt32BE(serial, 9);
      serial += 1;
      each(Buffer.concat([head, content]));
    },
    close: () => wire.close(),
  };
  each(PREAMBLE);
  return peer;

  function each(bytes: Buffer): void {
    for (const byte of bytes) wire.send(Uint8Array.of(byte));
  }

  function take(piece: Uint8Array): void {
    arrived = Buffer.concat([arrived, piece]);
    if (!begun) {
      if (arrived.length < PREAMBLE.length) return;
      if (!arrived.subarray(0, PREAMBLE.length).equals(PREAMBLE)) throw new Error("not a link");
      arrived = arrived.subarray(PREAMBLE.length);
      begun = true;
    }
    while (arrived.length >= 4 && arrived.length >= 4 + arrived.readUInt32BE(0)) {
      const end = 4 + arrived.readUInt32BE(0);
      const frame = {
        type: arrived.readUInt8(4),
        channel: arrived.readUInt32BE(5),
        serial: arrived.readUInt32BE(9),
        payload: Buffer.from(arrived.subarray(13, end)),
      };
      arrived = arrived.subarray(end);
      heard.push(frame);
      onFrame(frame, peer);
    }
  }
}

/** A node's greeting in version 1. */
export function oldHello(nonce: string): string {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const spki = publicKey.export({ type: "spki", format: "der" });
  return JSON.stringify({
    versions: [1, 1],
    tmpm: "0.1.0",
    node_id: createHash("sha256").update(spki).digest("hex").slice(0, 32),
    public_key: spki.toString("base64url"),
    signature: sign(null, Buffer.from(`tmpm node ${nonce}`), privateKey).toString("base64url"),
    host_name: "old1",
    user: "ada",
    home: "/home/ada",
    clock_ms: 1_700_000_000_000,
    capabilities: [],
  });
}
