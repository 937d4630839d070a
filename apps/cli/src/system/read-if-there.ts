import { readFileSync } from "node:fs";
import { hasErrno } from "@tmpm/core/errno";
import { refusedAtFirst } from "./system-fault.js";

/** A file's text; null if it does not exist, as for an ended process in `/proc`. For reads before any effect. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR", "ESRCH")) return null;
    throw refusedAtFirst(error);
  }
}
