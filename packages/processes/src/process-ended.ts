import type { ProcessTable } from "./process-table.js";

/** How far a recorded time may be from the process's start, as two clocks measure them. */
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
