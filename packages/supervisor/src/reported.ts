import type { Context } from "./context.js";

/** One of several independent tasks in the background: its failure is reported, and is null. */
export async function reported<T>({ report }: Pick<Context, "report">, doing: string, task: () => Promise<T>): Promise<T | null> {
  try {
    return await task();
  } catch (error) {
    report({ doing, error });
    return null;
  }
}
