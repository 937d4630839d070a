import { readFileSync } from "node:fs";
import { hasErrno } from "@tmpm/core/errno";
import { refusedAtFirst } from "./system-fault.js";

/** A file's text; null when there is none, as of a process in `/proc` that has ended. For what is read before anything is done. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR", "ESRCH")) return null;
    throw refusedAtFirst(error);
  }
}
