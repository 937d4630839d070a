import { createHash } from "node:crypto";
import { type ChangedEntry, isOnlyFile } from "./changed-entries.js";
import { fileAt } from "./file-sizes.js";

export interface Compared {
  /** What the entries were compared with. */
  readonly any: string;
  readonly entries: readonly ChangedEntry[];
  /** The top of the work tree. */
  readonly top: string;
}

/** Files looked at together. */
const BATCH = 256;

/** A digest of a comparison: of its entries, and, where their content is only in the work tree, of the files' times and sizes. */
export async function versionOf({ any, entries, top }: Compared): Promise<string> {
  const digest = createHash("sha256").update(any);
  for (let at = 0; at < entries.length; at += BATCH) {
    const found = await Promise.all(entries.slice(at, at + BATCH).map(async (entry) => [entry, await stampOf(top, entry)]));
    digest.update(JSON.stringify(found));
  }
  return digest.digest("hex").slice(0, 32);
}

async function stampOf(top: string, entry: ChangedEntry): Promise<string | null> {
  if (!isOnlyFile(entry)) return null;
  const found = await fileAt(top, entry.path);
  return found === null ? null : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}
