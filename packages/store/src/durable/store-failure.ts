import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { DISK_FULL, type Effect, type ErrorCode, errnoOf, hasErrno, SHORTAGES, TmpmError } from "@tmpm/core";

/** The error code for a failed system call of a write or a lock; any other is STORE_DEGRADED. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  ...each(DISK_FULL, "STORAGE_FULL"),
  ...each(SHORTAGES, "RESOURCE_EXHAUSTED"),
  EROFS: "STORE_READ_ONLY",
  EACCES: "STORE_READ_ONLY",
  EPERM: "STORE_READ_ONLY",
};

function each(errnos: readonly string[], code: ErrorCode): Readonly<Record<string, ErrorCode>> {
  return Object.fromEntries(errnos.map((errno) => [errno, code]));
}

export interface Failure {
  /** The failed action, as the start of a sentence: "cannot write the record". */
  readonly doing: string;
  readonly path: string;
  readonly effect?: Effect;
}

export function isShortage(error: unknown): boolean {
  return hasErrno(error, ...SHORTAGES);
}

/** A failed system call as an error that a caller can act on; any other error is returned unchanged. */
export function storeFailure(error: unknown, failure: Failure): unknown {
  const errno = errnoOf(error);
  if (errno === null) return error;
  const code = CODES[errno] ?? "STORE_DEGRADED";
  const hint = hintFor(code, failure.path);
  return new TmpmError(code, `${failure.doing}: ${errno} at ${failure.path}`, {
    effect: failure.effect ?? "none",
    details: { errno, path: failure.path },
    ...(hint === null ? {} : { hint }),
    cause: error,
  });
}

const STILL = "`tmpm ls`, `attach`, `stop` and `doctor` work meanwhile.";

/** Which folder, how much, and what still works. */
function hintFor(code: ErrorCode, path: string): string | null {
  const folder = existingFolder(path);
  if (code === "STORAGE_FULL") return `Free space on the file system of ${folder}: ${roomAt(folder)}. ${STILL}`;
  if (code === "STORE_READ_ONLY") return `Make ${folder} writable for you, or choose another folder with TMPM_HOME. ${STILL}`;
  return null;
}

function existingFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? folder : existingFolder(folder);
}

function roomAt(folder: string): string {
  try {
    const { bavail, blocks, bsize, ffree, files } = statfsSync(folder);
    const mib = (count: number) => `${((count * bsize) / 1024 / 1024).toFixed(1)} MiB`;
    return `${mib(bavail)} of ${mib(blocks)} are free${files > 0 && ffree === 0 ? ", and no inodes are free" : ""}`;
  } catch (error) {
    return `the free space cannot be determined (${errnoOf(error) ?? String(error)})`;
  }
}

/** Runs system calls and converts their failures with `storeFailure`. */
export function reportingFailure<T>(failure: Failure, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw storeFailure(error, failure);
  }
}

/** Why a reload failed; null for an error that is not a failed system call. */
export function reloadFailure(error: unknown, base: string): TmpmError | null {
  const errno = errnoOf(error);
  if (errno === null) return null;
  return new TmpmError("STORE_DEGRADED", `cannot read the records: ${errno} at ${base}`, {
    details: { errno, path: base },
    hint: "Nothing is written until the data folder can be read again.",
    cause: error,
  });
}
