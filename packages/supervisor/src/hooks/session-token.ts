import { createHash, timingSafeEqual } from "node:crypto";

/** What is kept of a token. It is long and random, so that no salt has to hide it. */
export function tokenDigest(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}

export function opens(token: string, digest: string): boolean {
  const [given, wanted] = [Buffer.from(tokenDigest(token), "hex"), Buffer.from(digest, "hex")];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
