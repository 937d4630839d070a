import { createHash } from "node:crypto";
import type { AuditEntry } from "./audit-entry.js";

/**
 * A line of the log: the entry, the previous line's digest, and the digest of both. Any changed byte breaks the line's own digest, and a line that
 * is removed, inserted or moved breaks the link (reliability C21).
 */
export function chainLine(entry: AuditEntry, prev: string): string {
  const open = ascii(JSON.stringify({ ...entry, prev }));
  return `${open.slice(0, -1)},"hash":"${digest(open)}"}`;
}

/** The same value; these characters only occur inside strings, and terminals or other encodings may misread them. */
function ascii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Digest of a line's bytes, without the line feed. */
export function digest(line: string | Uint8Array): string {
  return createHash("sha256").update(line).digest("hex");
}

/** The digest before the very first line. */
export const FIRST_PREV = "0".repeat(64);

export interface ChainedEntry {
  readonly seq: number;
  readonly prev: string;
  /** The previous line was cut off. */
  readonly torn: boolean;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The entry of an unmodified line; null for any other. */
export function readLine(line: string): ChainedEntry | null {
  const [, open, hash] = /^(\{.*),"hash":"([0-9a-f]{64})"\}$/s.exec(line) ?? [];
  if (open === undefined || digest(`${open}}`) !== hash) return null;
  const value: unknown = JSON.parse(`${open}}`);
  if (typeof value !== "object" || value === null || !("seq" in value) || !("prev" in value)) return null;
  const { seq, prev } = value;
  if (typeof seq !== "number" || typeof prev !== "string") return null;
  return { seq, prev, torn: "torn" in value && value.torn === true, value: { ...value } };
}
