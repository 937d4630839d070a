/** How long an agent is waited for, in ms. */
export interface Patience {
  /** A pipe that accepts nothing for this long has no reader. */
  readonly writesMs: number;
  /** An agent that refuses a prompt does so at once. */
  readonly refusesMs: number;
  /** An agent that closes its pipes usually exits next. */
  readonly exitsMs: number;
}

export const PATIENCE: Patience = { writesMs: 5_000, refusesMs: 1_500, exitsMs: 2_000 };

/** False after this time; does not keep the process running. */
export function later(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, ms, false).unref());
}

/** Whether one of these settles before the agent counts as not reading its input. */
export async function writtenInTime(writesMs: number, ...writes: readonly Promise<unknown>[]): Promise<boolean> {
  const done = writes.map((write) => write.then(() => true));
  return Promise.race([...done, later(writesMs)]);
}
