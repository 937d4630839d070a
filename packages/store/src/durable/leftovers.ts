import { readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { errnoOf, hasErrno, temporaryOwner } from "@tmpm/core";
import { tryOwnerLock } from "../locks/owner-lock.js";
import { isProcess } from "../locks/process-identity.js";

/** Removes temporary files of dead processes from a folder. Best effort: they are never read. */
export function removeTemporaries(folder: string): void {
  for (const name of namesIn(folder)) {
    const owner = temporaryOwner(name);
    if (owner !== null && !isProcess(owner)) attempt(() => unlinkSync(join(folder, name)));
  }
}

/** Releases locks of dead owners in a folder, with the same take-over as a process that needs one. */
export function releaseDeadLocks(folder: string): void {
  for (const name of namesIn(folder)) {
    attempt(() => {
      const lock = tryOwnerLock(join(folder, name));
      if (lock.outcome === "acquired") lock.lock.release();
    });
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return [];
  }
}

/** A file that cannot be removed now is harmless, and is removed at the next start. */
function attempt(tidy: () => void): void {
  try {
    tidy();
  } catch (error) {
    if (!hasErrno(error, "ENOENT", "EACCES", "EPERM", "EROFS", "EINVAL", "ENOSPC", "EIO", "EMFILE", "ENFILE")) throw error;
  }
}
