import { TmpmError } from "@tmpm/core";
import { hasErrno } from "@tmpm/core/errno";

/** The current directory. @throws DIRECTORY_NOT_FOUND if it was removed meanwhile */
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    if (!hasErrno(error, "ENOENT")) throw error;
    throw new TmpmError("DIRECTORY_NOT_FOUND", "the current directory no longer exists", { hint: "Change to another, or give --cwd." });
  }
}
