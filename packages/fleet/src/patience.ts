import { setMaxListeners } from "node:events";
import { performance } from "node:perf_hooks";
import { TmpmError } from "@tmpm/core";
import type { Timer } from "./timer.js";

/** The limit of a wait for nodes that may be silent. */
export interface Patience {
  /** Aborted, with an error, once the wait is over. */
  readonly signal: AbortSignal;
  stop(): void;
}

export interface PatienceOptions {
  readonly timer: Pick<Timer, "after">;
  /** How long this process has waited for input so far, in ms. */
  readonly idleMs: () => number;
}

/**
 * Is over once this process has waited for input for `ms` in total. Its own work does not count: responses that have arrived are not late because they
 * have not been read yet, however many there are.
 */
export function patience(ms: number, { timer, idleMs }: PatienceOptions): Patience {
  const over = new AbortController();
  // One listener for each node.
  setMaxListeners(0, over.signal);
  const start = idleMs();
  let stop = timer.after(ms, look);

  function look(): void {
    const left = ms - (idleMs() - start);
    if (left > 0) stop = timer.after(Math.max(1, Math.ceil(left)), look);
    else over.abort(new TmpmError("DAEMON_UNREACHABLE", `no answer within ${ms} ms`, { details: { reason: "no_answer" } }));
  }

  return { signal: over.signal, stop: () => stop() };
}

/** The time in which this process's event loop had nothing to do. */
export function eventLoopIdleMs(): number {
  return performance.eventLoopUtilization().idle;
}
