import { TmpmError } from "../errors.js";
import { hasErrno } from "./errno.js";

/** The machine ran short of files, memory or processes, whatever the call was about. */
export const SHORTAGES: readonly string[] = ["EMFILE", "ENFILE", "ENOMEM", "EAGAIN"];

/** A system call that failed for lack of files, memory or processes, as RESOURCE_EXHAUSTED; null for any other error. */
export function shortageOf(error: unknown): TmpmError | null {
  if (!(error instanceof Error) || !("syscall" in error) || !hasErrno(error, ...SHORTAGES)) return null;
  return new TmpmError("RESOURCE_EXHAUSTED", error.message, { cause: error });
}

/** False for an error that is not a shortage. @throws RESOURCE_EXHAUSTED for one that is */
export function requireResources(error: unknown): false {
  const short = shortageOf(error);
  if (short !== null) throw short;
  return false;
}
