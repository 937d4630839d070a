import { createHash, timingSafeEqual } from "node:crypto";

/** The stored digest of a token. It is long and random, so it needs no salt. */
export function tokenDigest(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}

export function opens(token: string, digest: string): boolean {
  const [given, wanted] = [Buffer.from(tokenDigest(token), "hex"), Buffer.from(digest, "hex")];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
