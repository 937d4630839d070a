import { lstat } from "node:fs/promises";
import { hasErrno } from "@tmpm/core";

/** Whether anything is at the path, a broken symbolic link too. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return false;
    throw error;
  }
}
