import { setTimeout as sleep } from "node:timers/promises";
import { shuttingDown } from "../requests/shutting-down.js";

export interface CloseDaemonOptions {
  /** Ends waiting requests; later ones are refused because the daemon is stopping. */
  readonly stopping: AbortController;
  /** Answers the remaining requests. */
  readonly givingUp: AbortController;
  /** Accepts no more connections; resolves when all have ended. */
  readonly answered: () => Promise<unknown>;
  /** Cuts the remaining connections. */
  readonly cut: () => void;
  /** Flushes pending writes. */
  readonly flushed: () => Promise<unknown>;
  readonly warn: (message: string) => void;
}

/** In total below the 6 s of reliability F20. */
const ANSWER_MS = 3_500;
const GIVE_UP_MS = 500;
const FLUSH_MS = 1_500;

/** Ends a daemon: every request is answered, then everything is written. Never exceeds the three deadlines; a failure of one step skips none after it. */
export async function closeDaemon({ stopping, givingUp, answered, cut, flushed, warn }: CloseDaemonOptions): Promise<void> {
  stopping.abort(shuttingDown());
  const ended = answered().catch((error: unknown) => warn(`not every connection was closed: ${messageOf(error)}`));
  if (!(await within(ANSWER_MS, ended))) {
    givingUp.abort();
    warn("some requests did not end in time; they were answered with SHUTTING_DOWN");
    await within(GIVE_UP_MS, ended);
  }
  try {
    cut();
  } catch (error) {
    warn(`not every connection was cut: ${messageOf(error)}`);
  }
  if (!(await within(FLUSH_MS, flushed()))) warn("some work did not end in time; the next daemon resumes it");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const deadline = sleep(ms, false, { ref: false });
  return Promise.race([work.then(() => true), deadline]);
}
