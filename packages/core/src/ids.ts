import * as z from "zod";
import { TmpmError } from "./errors.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SLUG = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

/** A session's id: a UUID in lower case with hyphens. New ones are version 4, so that a short prefix tells sessions apart. */
export const SessionId = z.string().regex(UUID, "not a UUID");
export type SessionId = z.infer<typeof SessionId>;

/** A name or project id: 1-63 of `A-Za-z0-9_-`, beginning with a letter or digit; safe as a file name and as a tmux name. */
export const Slug = z.string().regex(SLUG, "use 1-63 letters, digits, - and _, beginning with a letter or digit");
export type Slug = z.infer<typeof Slug>;

export const DEFAULT_PROJECT = "default";

/** A version 4 UUID from 16 random bytes (RFC 9562, 5.4). */
export function uuidFromBytes(bytes: Uint8Array): SessionId {
  if (bytes.length !== 16) throw new TypeError("a UUID is made of 16 bytes");
  const versioned = bytes.map((byte, index) => {
    if (index === 6) return (byte & 0x0f) | 0x40;
    if (index === 8) return (byte & 0x3f) | 0x80;
    return byte;
  });
  const hex = Array.from(versioned, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Reads every form serde accepts: upper case, without hyphens, `{…}`, `urn:uuid:…`. Null when it is no UUID. */
export function normalizeUuid(text: string): SessionId | null {
  const bare = text
    .toLowerCase()
    .replace(/^urn:uuid:/, "")
    .replace(/^\{(.*)\}$/, "$1");
  if (UUID.test(bare)) return bare;
  if (!/^[0-9a-f]{32}$/.test(bare)) return null;
  return bare.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The one parser for names and project ids. @throws INVALID_ARGUMENT */
export function parseSlug(text: string, what = "name"): Slug {
  if (SLUG.test(text)) return text;
  throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(text)} is not a valid ${what}`, {
    hint: "Use 1-63 letters, digits, - and _, beginning with a letter or digit.",
    details: { field: what },
  });
}
