import { DISK_FULL, type Effect, hasErrno, TmpmError } from "@tmpm/core";

/** The error of a full, read-only or blocked disk; any other error as it is. `effect` is that of the whole request, by default `none`. */
export function diskFailure(error: unknown, { path, effect = "none" }: { readonly path: string; readonly effect?: Effect }): unknown {
  const detail = { effect, details: { path }, cause: error };
  if (hasErrno(error, ...DISK_FULL)) return new TmpmError("STORAGE_FULL", `the disk of ${path} is full`, detail);
  if (hasErrno(error, "EROFS", "EACCES", "EPERM")) return new TmpmError("STORE_READ_ONLY", `cannot write in ${path}`, detail);
  if (hasErrno(error, "EISDIR", "ENOTEMPTY", "EEXIST"))
    return new TmpmError("UNSAFE_PATH", `an entry that is not a file blocks ${path}`, detail);
  return error;
}
