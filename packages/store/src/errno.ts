import { type Effect, type ErrorCode, TmpmError } from "@tmpm/core";

/** The code that a failed system call of a write or a lock has for callers; anything else is STORE_DEGRADED. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: "STORAGE_FULL",
  EDQUOT: "STORAGE_FULL",
  EROFS: "STORE_READ_ONLY",
  EACCES: "STORE_READ_ONLY",
  EPERM: "STORE_READ_ONLY",
  EMFILE: "RESOURCE_EXHAUSTED",
  ENFILE: "RESOURCE_EXHAUSTED",
  ENOMEM: "RESOURCE_EXHAUSTED",
};

/** The machine ran short, which says nothing about the file that was asked for. */
const SHORTAGES: readonly string[] = ["EMFILE", "ENFILE", "ENOMEM", "EAGAIN"];

export interface Failure {
  /** What could not be done, as the start of a sentence: "cannot write the record". */
  readonly doing: string;
  readonly path: string;
  readonly effect?: Effect;
}

/** The symbol of a failed system call; null for any other error. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

export function hasErrno(error: unknown, ...symbols: readonly string[]): boolean {
  const errno = errnoOf(error);
  return errno !== null && symbols.includes(errno);
}

export function isShortage(error: unknown): boolean {
  return hasErrno(error, ...SHORTAGES);
}

/** A failed system call as an error that a caller can act on; an error that is none comes back as it is. */
export function storeFailure(error: unknown, failure: Failure): unknown {
  const errno = errnoOf(error);
  if (errno === null) return error;
  return new TmpmError(CODES[errno] ?? "STORE_DEGRADED", `${failure.doing}: ${errno} at ${failure.path}`, {
    effect: failure.effect ?? "none",
    details: { errno, path: failure.path },
    cause: error,
  });
}

/** Runs system calls whose failure a caller is told as `storeFailure` says. */
export function reportingFailure<T>(failure: Failure, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw storeFailure(error, failure);
  }
}

/** Why nothing could be reloaded; null for an error that is no failed system call. */
export function reloadFailure(error: unknown, base: string): TmpmError | null {
  const errno = errnoOf(error);
  if (errno === null) return null;
  return new TmpmError("STORE_DEGRADED", `cannot read the records: ${errno} at ${base}`, {
    details: { errno, path: base },
    hint: "Nothing is written until the data folder can be read again.",
    cause: error,
  });
}
