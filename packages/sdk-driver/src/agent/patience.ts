/** A pipe that accepts nothing for this long has no reader, in ms. */
const WRITES_MS = 5_000;

/** False after this time; does not keep the process running. */
export function later(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, ms, false).unref());
}

/** Whether one of these settles before the agent counts as not reading its input. */
export async function writtenInTime(...writes: readonly Promise<unknown>[]): Promise<boolean> {
  const done = writes.map((write) => write.then(() => true));
  return Promise.race([...done, later(WRITES_MS)]);
}
