import { hasErrno } from "@tmpm/core";

/** Ends a process group started by this process. A missing one is ignored, and one reused by another user cannot be signalled. */
export function killGroup(pid: number | undefined, signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!hasErrno(error, "ESRCH", "EPERM")) throw error;
  }
}
