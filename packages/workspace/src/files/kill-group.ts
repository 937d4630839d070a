import { hasErrno } from "@tmpm/core";

/** Ends a process group that this process made. One that is gone already is well; one that became another user's is out of reach. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!hasErrno(error, "ESRCH", "EPERM")) throw error;
  }
}
