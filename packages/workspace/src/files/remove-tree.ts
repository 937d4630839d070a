import type { Dirent } from "node:fs";
import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasErrno } from "@tmpm/core";

/** Deletes a directory of ours recursively, including folders without write permission; symbolic links are deleted, not followed. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if (!hasErrno(error, "EACCES", "EPERM")) throw error;
    await openFolders(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function openFolders(path: string): Promise<void> {
  await chmod(path, 0o700);
  const entries: readonly Dirent[] = await readdir(path, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await openFolders(join(path, entry.name));
}
