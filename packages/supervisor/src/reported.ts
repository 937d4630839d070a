import type { Context } from "./context.js";

export interface Reported<T> {
  readonly doing: string;
  readonly task: () => Promise<T>;
}

/** Runs one of several independent background tasks. Reports its failure and returns null. */
export async function reported<T>({ report }: Pick<Context, "report">, { doing, task }: Reported<T>): Promise<T | null> {
  try {
    return await task();
  } catch (error) {
    report({ doing, error });
    return null;
  }
}
