import { readFileSync } from "node:fs";
import { refusedAtFirst } from "./system-fault.js";

/** A file's text; null when there is none, as of a process in `/proc` that has ended. For what is read before anything is done. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR", "ESRCH"].includes(String(error.code))) return null;
    throw refusedAtFirst(error);
  }
}
