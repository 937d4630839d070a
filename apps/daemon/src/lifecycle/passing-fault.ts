import { DISK_FULL, SHORTAGES } from "@tmpm/core";

const PASSING: ReadonlySet<unknown> = new Set([...SHORTAGES, ...DISK_FULL, "EIO"]);

/**
 * Whether a fault belongs to the machine and may be transient: it is out of files, memory, processes or disk, or the disk fails. Interrupted work is
 * resumed, as after any such error reported to a caller.
 */
export function isPassing(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("syscall" in cause && "code" in cause && PASSING.has(cause.code)) return true;
  return false;
}
