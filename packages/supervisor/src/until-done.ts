import type { Context } from "./context.js";

export interface RepeatedTask {
  readonly task: () => Promise<void>;
  /** What the task does, for the report of a failure. */
  readonly doing: string;
  readonly ended: () => boolean;
  /** Resolves after the given number of ms, or earlier when it has ended. */
  readonly wait: (ms: number) => Promise<unknown>;
}

const AGAIN_MS = 1_000;

/** Runs a task, and again after each failure, which is reported. False when it ended before the task succeeded. */
export async function untilDone(ctx: Pick<Context, "report">, { task, doing, ended, wait }: RepeatedTask): Promise<boolean> {
  while (!ended()) {
    try {
      await task();
      return true;
    } catch (error) {
      ctx.report({ doing, error });
    }
    if (!ended()) await wait(AGAIN_MS);
  }
  return false;
}
