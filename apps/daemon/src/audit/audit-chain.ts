import { createHash } from "node:crypto";
import type { AuditEntry } from "./audit-entry.js";

/**
 * A line of the log: the entry, the digest of the line before it, and the digest of all that. Any changed byte breaks the line's own digest, and a line that
 * is taken out, put in or moved breaks the link (reliability C21).
 */
export function chainLine(entry: AuditEntry, prev: string): string {
  const open = ascii(JSON.stringify({ ...entry, prev }));
  return `${open.slice(0, -1)},"hash":"${digest(open)}"}`;
}

/** The same value; such characters only occur inside strings, and a terminal or a reader of another encoding may take them for something else. */
function ascii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Of a line's bytes, without its end. */
export function digest(line: string | Uint8Array): string {
  return createHash("sha256").update(line).digest("hex");
}

/** What stands before the first line of all. */
export const FIRST_PREV = "0".repeat(64);

export interface ChainedEntry {
  readonly seq: number;
  readonly prev: string;
  /** The line before was cut off. */
  readonly torn: boolean;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The entry of a line that is as it was written; null for any other. */
export function readLine(line: string): ChainedEntry | null {
  const [, open, hash] = /^(\{.*),"hash":"([0-9a-f]{64})"\}$/s.exec(line) ?? [];
  if (open === undefined || digest(`${open}}`) !== hash) return null;
  const value: unknown = JSON.parse(`${open}}`);
  if (typeof value !== "object" || value === null || !("seq" in value) || !("prev" in value)) return null;
  const { seq, prev } = value;
  if (typeof seq !== "number" || typeof prev !== "string") return null;
  return { seq, prev, torn: "torn" in value && value.torn === true, value: { ...value } };
}
