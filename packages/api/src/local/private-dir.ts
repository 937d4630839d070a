import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { DISK_FULL, hasErrno } from "@tmpm/core/errno";
import { TmpmError } from "@tmpm/core/errors";

/** The properties that determine whether a folder is private. `mode` holds the permission bits. */
export interface FileFacts {
  readonly kind: "directory" | "link" | "other";
  readonly uid: number;
  readonly mode: number;
}

/** Why a folder is not private (reliability C1), as text; null if it is a real directory of the user, closed to all others. */
export function faultOf(facts: FileFacts, uid: number): string | null {
  if (facts.kind === "link") return "is a symbolic link";
  if (facts.kind === "other") return "is not a directory";
  if (facts.uid !== uid) return `belongs to user ${facts.uid}, not to user ${uid}`;
  if ((facts.mode & 0o077) !== 0) return `is open to other users (mode ${facts.mode.toString(8)})`;
  return null;
}

/** The entry at a path, without following links; null if there is none, or if a folder on the path is not readable. */
export function lstatFacts(path: string): FileFacts | null {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? null : toFacts(stats);
  } catch (error) {
    if (hasErrno(error, "EACCES", "ENOTDIR", "ELOOP", "ENAMETOOLONG")) return null;
    throw error;
  }
}

/** Whether the folder exists. @throws UNSAFE_PATH if it exists and is not private */
export function checkPrivateDir(path: string, uid: number): boolean {
  const facts = lstatFacts(path);
  if (facts === null) return false;
  const fault = faultOf(facts, uid);
  if (fault !== null) throw unsafe(path, fault);
  return true;
}

/**
 * Creates the folder and its missing parents, with mode 0700.
 * @throws UNSAFE_PATH if it is not private or a part of its path is not a folder; STORE_READ_ONLY, STORAGE_FULL if it cannot be created
 */
export function makePrivateDir(path: string, uid: number): void {
  if (checkPrivateDir(path, uid)) return;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw creationError(path, error);
  }
  checkPrivateDir(path, uid);
}

function creationError(path: string, error: unknown): unknown {
  if (hasErrno(error, "ENOTDIR", "EEXIST", "ENOENT", "ELOOP", "ENAMETOOLONG")) {
    return unsafe(path, `cannot be created (${error.code})`, error);
  }
  const full = hasErrno(error, ...DISK_FULL);
  if (!full && !hasErrno(error, "EACCES", "EPERM", "EROFS")) return error;
  return new TmpmError(full ? "STORAGE_FULL" : "STORE_READ_ONLY", `the folder ${path} cannot be created (${error.code})`, {
    hint: full ? "Free space on the disk." : "Make its parent writable for you, or choose another folder with TMPM_HOME or TMPM_SOCKET.",
    details: { path },
    cause: error,
  });
}

function unsafe(path: string, fault: string, cause?: unknown): TmpmError {
  return new TmpmError("UNSAFE_PATH", `the folder ${path} ${fault}`, {
    hint: "Make it a folder that you own with mode 700, or choose another with TMPM_HOME or TMPM_SOCKET.",
    details: { path, fault },
    ...(cause === undefined ? {} : { cause }),
  });
}

function toFacts(stats: Stats): FileFacts {
  const kind = stats.isSymbolicLink() ? "link" : stats.isDirectory() ? "directory" : "other";
  return { kind, uid: stats.uid, mode: stats.mode & 0o7777 };
}
