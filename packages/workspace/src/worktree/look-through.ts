import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { hasErrno } from "@tmpm/core";

/** Findings of a walk through a work tree that git's status does not show. Paths are relative to it. */
export interface WorkTreeFindings {
  /** Folders that hold a `.git` of their own. */
  readonly repositories: readonly string[];
  /** Pipes, sockets and devices. */
  readonly special: readonly string[];
  /** Folders that cannot be opened. */
  readonly closed: readonly string[];
}

/** Walks everything below the directory except its own `.git`, without following a symbolic link. Null on timeout. */
export async function lookThrough(directory: string, options: { readonly timeoutMs: number }): Promise<WorkTreeFindings | null> {
  const found = { repositories: [] as string[], special: [] as string[], closed: [] as string[] };
  const deadline = performance.now() + options.timeoutMs;
  const left = [directory];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    if (performance.now() > deadline) return null;
    const entries = await entriesOf(folder);
    if (entries === null) found.closed.push(relative(directory, folder));
    for (const entry of entries ?? []) {
      if (entry.name === ".git") {
        if (folder !== directory) found.repositories.push(relative(directory, folder));
      } else if (entry.isDirectory()) left.push(join(folder, entry.name));
      else if (!entry.isFile() && !entry.isSymbolicLink()) found.special.push(relative(directory, join(folder, entry.name)));
    }
  }
  return found;
}

/** Null for a folder that may not be opened; a vanished one is empty. */
async function entriesOf(folder: string): Promise<readonly Dirent[] | null> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return [];
    if (hasErrno(error, "EACCES", "EPERM")) return null;
    throw error;
  }
}
