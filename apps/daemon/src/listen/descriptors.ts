import { closeSync, openSync, readFileSync } from "node:fs";
import { hasErrno } from "@tmpm/core";

/** The file descriptors left for the daemon's own work. */
export interface Descriptors {
  /** No further connection may take one. */
  isShort(): boolean;
}

/** Starting a program takes up to eight. */
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

/** Infinite where the system does not report it; the first refusal then shows it. */
function softLimit(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? Number.POSITIVE_INFINITY);
  } catch (error) {
    if (error instanceof Error && "code" in error) return Number.POSITIVE_INFINITY;
    throw error;
  }
}
