import type { ProcessTable } from "./process-table.js";

/** Maximum difference between a recorded time and the process's start, as measured by two clocks. */
const SLACK_SECONDS = 10;

export interface PastProcess {
  readonly pid: number;
  /** Seconds since 1970. */
  readonly start: number;
  /** Its `ProcessInfo.start`, which stays the same when the clock is set; null if it was never read. */
  readonly exactStart?: string | null;
}

/** Proof that this process has ended: it is gone, or its pid belongs to another. */
export async function processEnded(table: Pick<ProcessTable, "some">, { pid, start, exactStart = null }: PastProcess): Promise<boolean> {
  const found = (await table.some([pid])).get(pid);
  if (found === undefined || found.zombie) return true;
  if (exactStart !== null) return found.start !== exactStart;
  return Math.abs(found.startedAt - start) > SLACK_SECONDS;
}
