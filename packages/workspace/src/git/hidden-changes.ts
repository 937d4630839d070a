import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { hasErrno } from "@tmpm/core";
import { type Reason, reason } from "../refusal.js";
import type { GitOptions } from "./git.js";
import { requireGit } from "./require-git.js";

/** Changes of files that git is configured to ignore (`assume-unchanged`, `skip-worktree`), which no status shows. */
export async function hiddenChanges(workTree: string, options: GitOptions): Promise<readonly Reason[]> {
  const listed = await requireGit(["ls-files", "-v", "--stage", "-z"], options);
  const changed: string[] = [];
  for (const entry of listed.split("\0")) {
    const hidden = /^[a-zS] \d+ ([0-9a-f]+) \d\t(.+)$/s.exec(entry);
    if (hidden === null) continue;
    const [, objectId = "", path = ""] = hidden;
    if (await differs(join(workTree, path), objectId)) changed.push(path);
  }
  if (changed.length === 0) return [];
  return [reason("hidden_changes", { kind: "work", message: "changes that git is configured to ignore", items: changed })];
}

/** Whether the file at the path differs from the object; a missing file (as in a sparse checkout) is not work. */
async function differs(path: string, objectId: string): Promise<boolean> {
  try {
    const found = await lstat(path);
    if (found.isDirectory()) return false;
    if (found.isSymbolicLink()) return (await blobId(Buffer.from(await readlink(path)), { objectId })) !== objectId;
    if (!found.isFile()) return true;
    return (await blobId(createReadStream(path), { objectId, size: found.size })) !== objectId;
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return false;
    throw error;
  }
}

/** A blob's id is the hash of `blob <size>`, NUL and the bytes; its length identifies the repository's hash. */
async function blobId(content: Buffer | AsyncIterable<Buffer>, of: { objectId: string; size?: number }): Promise<string> {
  const hash = createHash(of.objectId.length === 40 ? "sha1" : "sha256");
  if (Buffer.isBuffer(content)) return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
  hash.update(`blob ${of.size ?? 0}\0`);
  for await (const chunk of content) hash.update(chunk);
  return hash.digest("hex");
}
