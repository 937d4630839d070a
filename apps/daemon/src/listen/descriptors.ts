import { closeSync, openSync, readFileSync } from "node:fs";
import { hasErrno } from "@tmpm/core";

/** Counts the file descriptors that are left for the daemon's own work. */
export interface Descriptors {
  /** Whether further connections must not use one. */
  isShort(): boolean;
}

/** Starting a program needs up to eight. */
const SPARE = 48;

/** New files get the lowest free number, so a newly opened one shows the count. `limit`: the system's by default. */
export function descriptors(limit: number = softLimit()): Descriptors {
  const most = limit - Math.min(SPARE, Math.floor(limit / 4));
  return {
    isShort() {
      try {
        const next = openSync("/dev/null", "r");
        closeSync(next);
        return next >= most;
      } catch (error) {
        if (hasErrno(error, "EMFILE", "ENFILE")) return true;
        throw error;
      }
    },
  };
}

/** Infinite if the system does not report it; the first refusal then reveals it. */
function softLimit(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? Number.POSITIVE_INFINITY);
  } catch (error) {
    if (error instanceof Error && "code" in error) return Number.POSITIVE_INFINITY;
    throw error;
  }
}
