import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from "node:crypto";
import * as z from "zod";
import type { NodeIdentity } from "../identity.js";

/** A key that identifies a user of a NATS server (https://docs.nats.io/nkeys). */
export interface Nkey {
  /** `U` and 55 more characters, as in a server's configuration. */
  readonly public_key: string;
  /** Signs the server's challenge; base64url. */
  readonly sign: (challenge: string) => string;
}

/** The bytes before the 32 of an Ed25519 private key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
const USER = 20 << 3;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const Jwk = z.object({ d: z.string() });
const PublicJwk = z.object({ x: z.string() });

/**
 * The NATS key of a node. It is derived from the node's own key and differs from it: a server may request a signature of any text,
 * including a proof of the node's identity.
 */
export function nkeyOf({ private_key }: NodeIdentity): Nkey {
  const { d } = Jwk.parse(createPrivateKey(private_key).export({ format: "jwk" }));
  const seed = Buffer.from(hkdfSync("sha256", Buffer.from(d, "base64url"), "", "tmpm nats user", 32));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
  return {
    public_key: userKey(key),
    sign: (challenge) => sign(null, Buffer.from(challenge), key).toString("base64url"),
  };
}

/** One byte for the kind, the key, and its checksum (CRC-16/XMODEM, little-endian), in base 32. */
function userKey(key: KeyObject): string {
  const { x } = PublicJwk.parse(createPublicKey(key).export({ format: "jwk" }));
  const body = Buffer.concat([Buffer.of(USER), Buffer.from(x, "base64url")]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(crc16(body));
  return base32(Buffer.concat([body, sum]));
}

function crc16(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x8000) === 0 ? (sum << 1) & 0xffff : ((sum << 1) ^ 0x1021) & 0xffff;
  }
  return sum;
}

function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}
