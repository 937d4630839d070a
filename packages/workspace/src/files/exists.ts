import { lstat } from "node:fs/promises";
import { hasErrno } from "@tmpm/core";

/** Whether the path exists, including a broken symbolic link. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return false;
    throw error;
  }
}
