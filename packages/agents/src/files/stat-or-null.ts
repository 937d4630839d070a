import { type Stats, statSync } from "node:fs";
import { hasErrno } from "@tmpm/core";

/** Null for a missing path. */
export function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    // A parent directory can become a file.
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
}
