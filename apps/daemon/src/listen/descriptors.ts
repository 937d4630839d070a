import { closeSync, openSync, readFileSync } from "node:fs";
import { hasErrno } from "@tmpm/core";

/** What the daemon's own work is left of the files that the system lets it open. */
export interface Descriptors {
  /** No connection more may take one. */
  isShort(): boolean;
}

/** Starting a program takes up to eight at once. */
const SPARE = 48;

/** New files get the lowest free number, so one that is opened tells how many there are. `limit`: the system's own when not given. */
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

/** Infinite where the system does not tell: then the first refusal does. */
function softLimit(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? Number.POSITIVE_INFINITY);
  } catch (error) {
    if (error instanceof Error && "code" in error) return Number.POSITIVE_INFINITY;
    throw error;
  }
}
