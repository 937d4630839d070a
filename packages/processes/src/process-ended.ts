import type { ProcessTable } from "./process-table.js";

/** Maximum difference between a recorded time and the process's start, as measured by two clocks. */
const SLACK_SECONDS = 10;

/** Proof that this process has ended: it is gone, or its pid belongs to another. `start` in seconds since 1970. */
export async function processEnded(
  table: ProcessTable,
  { pid, start }: { readonly pid: number; readonly start: number },
): Promise<boolean> {
  const found = (await table.some([pid])).get(pid);
  if (found === undefined || found.zombie) return true;
  return Math.abs(found.startedAt - start) > SLACK_SECONDS;
}
