import { readFile } from "node:fs/promises";
import { hasErrno } from "@tmpm/core";

export interface ProcessStat {
  /** `Z` and `X` for a process that has ended. */
  readonly state: string;
  readonly group: number;
}

/** State and process group from `/proc/PID/stat` (proc(5)); null for a process that has ended or is not readable. */
export async function processStat(pid: string | number): Promise<ProcessStat | null> {
  try {
    // The name before it, in parentheses, may contain any character.
    const [state = "", , group] = (await readFile(`/proc/${pid}/stat`, "latin1")).replace(/^.*\) /s, "").split(" ");
    return { state, group: Number(group) };
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return null;
    throw error;
  }
}
