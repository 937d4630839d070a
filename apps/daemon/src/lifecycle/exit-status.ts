import { ERRORS, isTmpmError, type TmpmError } from "@tmpm/core";
import type { Log } from "../log/daemon-log.js";

/** Exit status of a fault in tmpm, and of a second stop signal (reliability F20, F27). */
export const EXIT_FAULT = 70;

/** The exit status of a daemon that starts, runs and stops in `run`: a failure of any kind is logged, and is not 0. */
export async function exitStatus(run: () => Promise<void>, log: Pick<Log, "error" | "fatal">): Promise<number> {
  try {
    await run();
    return 0;
  } catch (error) {
    if (isTmpmError(error)) return ended(log, error);
    // Also a failed system call: without what it was for, the daemon is of no use, and would hold its lock.
    log.fatal({ err: error }, `the daemon ended: ${error instanceof Error ? error.message : String(error)}`);
    return EXIT_FAULT;
  }
}

/** Logs why a daemon ends, and returns its exit status. */
export function ended(log: Pick<Log, "error">, error: TmpmError): number {
  log.error({ code: error.code, hint: error.hint, details: error.details }, error.message);
  return ERRORS[error.code].exit;
}
