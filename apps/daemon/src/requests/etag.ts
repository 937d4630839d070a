import { createHash } from "node:crypto";
import { TmpmError } from "@tmpm/core";

/** The validator of a session response: its `rev`, and a digest of everything, since the activity changes without the record. */
export function etagOf(rev: number, body: string | Buffer): string {
  return `"${rev}.${createHash("sha256").update(body).digest("base64url").slice(0, 16)}"`;
}

/** Whether `If-None-Match` names this validator, or the session's bare `rev`. */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const rev = `${etag.split(".")[0]}"`;
  return tagsIn(header).some((tag) => tag === "*" || tag === etag || tag === rev);
}

/** The `rev` required by `If-Match`; undefined if any is accepted. @throws INVALID_ARGUMENT */
export function revOf(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const rev = /^"?(\d{1,15})(?:\.[\w-]{1,64})?"?$/.exec(header.trim())?.[1];
  if (rev !== undefined) return Number(rev);
  throw new TmpmError("INVALID_ARGUMENT", "If-Match: neither the rev of a session nor an ETag", { details: { part: "header" } });
}

function tagsIn(header: string): readonly string[] {
  return header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
}
