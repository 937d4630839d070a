import { lstat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { hasErrno } from "@tmpm/core";
import { readPrivate } from "../files/private-file.js";

/** The git folder of a work tree, from its top. Null for a link or anything else that git would follow elsewhere. */
export async function gitDirOf(workTree: string): Promise<string | null> {
  const path = join(workTree, ".git");
  try {
    if ((await lstat(path)).isDirectory()) return path;
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
  const pointer = await readPrivate(path);
  const target = pointer.kind === "read" ? /^gitdir: (.+)\n?$/s.exec(pointer.text)?.[1]?.replace(/\n$/, "") : undefined;
  return target === undefined ? null : resolve(workTree, target);
}
