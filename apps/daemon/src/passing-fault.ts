const PASSING: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EIO", "ENOSPC", "EDQUOT"]);

/**
 * Whether a fault is the machine's and may pass: it has no more files, memory, processes or disk to give, or the disk fails. What was cut off by it is taken up
 * again, as after any such error that somebody waits for.
 */
export function isPassing(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("syscall" in cause && "code" in cause && PASSING.has(cause.code)) return true;
  return false;
}
