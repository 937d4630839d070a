import { createHash } from "node:crypto";

/** The namespace of foreign ids (RFC 9562, 5.5). Never changed: a repeated import finds earlier sessions by these ids. */
const NAMESPACE = Buffer.from("7b6d1f0e4c0a5d3c9a3e6f2b8d1c4e70", "hex");

/** A version 5 UUID, deterministic for a program and id. */
export function derivedId(program: string): (foreignId: string) => string {
  return (foreignId) => {
    const hash = createHash("sha1").update(NAMESPACE).update(`${program}:${foreignId}`, "utf8").digest();
    hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
    hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
    const hex = hash.toString("hex");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
  };
}
