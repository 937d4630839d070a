import { createHash, timingSafeEqual } from "node:crypto";

/** Makes leaked secrets recognizable, for people and for secret scanners. */
const PREFIX = "tmpm_";
const SECRET = /^tmpm_[\w-]{43}$/;

/** From 32 random bytes, enough for a digest without salt. */
export function secretFrom(random: Uint8Array): string {
  return PREFIX + Buffer.from(random).toString("base64url");
}

export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

export function digestOf(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex");
}

/** Constant-time comparison. */
export function sameDigest(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, "hex"), Buffer.from(other, "hex")];
  return a.length === b.length && timingSafeEqual(a, b);
}
