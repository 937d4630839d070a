import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import * as z from "zod";

/** A node's identity: an Ed25519 key pair (RFC 8032) from its first start. */
export const NodeIdentity = z.object({
  schema_version: z.literal(1),
  /** 32 hexadecimal digits: the beginning of the SHA-256 of the public key. */
  node_id: z.string().regex(/^[0-9a-f]{32}$/),
  /** PKCS #8 in PEM. */
  private_key: z.string(),
});
export type NodeIdentity = z.infer<typeof NodeIdentity>;

/** A node's claim, which it proves. */
export interface Proof {
  readonly node_id: string;
  /** SubjectPublicKeyInfo (RFC 8410), base64url. */
  readonly public_key: string;
  readonly signature: string;
}

export function newIdentity(): NodeIdentity {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    schema_version: 1,
    node_id: idOf(publicKey.export({ type: "spki", format: "der" })),
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

export function prove({ node_id, private_key }: NodeIdentity, nonce: string): Proof {
  const key = createPrivateKey(private_key);
  const spki = createPublicKey(key).export({ type: "spki", format: "der" });
  return { node_id, public_key: spki.toString("base64url"), signature: sign(null, signed(nonce), key).toString("base64url") };
}

/** Whether the responder has the key from which the id is derived. */
export function isProven({ node_id, public_key, signature }: Proof, nonce: string): boolean {
  const spki = Buffer.from(public_key, "base64url");
  if (idOf(spki) !== node_id) return false;
  try {
    const key = createPublicKey({ key: spki, type: "spki", format: "der" });
    return key.asymmetricKeyType === "ed25519" && verify(null, signed(nonce), key, Buffer.from(signature, "base64url"));
  } catch (error) {
    // An invalid key proves nothing.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

function signed(nonce: string): Buffer {
  return Buffer.from(`tmpm node ${nonce}`);
}

function idOf(spki: Uint8Array): string {
  return createHash("sha256").update(spki).digest("hex").slice(0, 32);
}
