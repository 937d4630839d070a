import type { ProcessInfo, ProcessTable } from "./process-table.js";
import { signalProcess } from "./signal-process.js";
import { until } from "./until.js";

const POLL_MS = 25;
/** Time limit for the kernel to end a process after SIGKILL. */
const KILL_MS = 2000;

export interface Ending {
  readonly graceMs: number;
  /** The processes to end, including those that appeared since the last call. */
  readonly collect: (known: readonly ProcessInfo[]) => Promise<ProcessInfo[]>;
}

/** Sends a signal to all, kills the survivors after a while, and returns the remaining ones. */
export async function endProcesses(table: ProcessTable, { graceMs, collect }: Ending): Promise<ProcessInfo[]> {
  let left = await collect([]);
  const asked = new Set<string>();
  const ask = async () => {
    const fresh = left.filter((info) => !asked.has(key(info)));
    for (const info of fresh) asked.add(key(info));
    await signalAll(table, { targets: fresh, signals: ["SIGHUP", "SIGCONT"] });
    left = await collect(left);
    return left.length === 0;
  };
  if (await until(ask, { withinMs: graceMs, everyMs: POLL_MS })) return [];
  const force = async () => {
    await signalAll(table, { targets: left, signals: ["SIGKILL"] });
    left = await collect(left);
    return left.length === 0;
  };
  await until(force, { withinMs: KILL_MS, everyMs: POLL_MS });
  return left;
}

/** Checks each process again before it signals it: its pid may have been reused. */
async function signalAll(
  table: ProcessTable,
  { targets, signals }: { readonly targets: readonly ProcessInfo[]; readonly signals: readonly NodeJS.Signals[] },
): Promise<void> {
  if (targets.length === 0) return;
  const current = await table.some(targets.map(({ pid }) => pid));
  for (const { pid, start } of targets) {
    if (current.get(pid)?.start === start) for (const name of signals) signalProcess(pid, name);
  }
}

function key({ pid, start }: ProcessInfo): string {
  return `${pid}@${start}`;
}
