import { withEffect } from "@tmpm/core/errors";

/** Runs what follows a start. The program runs, whatever fails then: the effect of an error is unknown. */
export async function afterStart<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw withEffect(error, "unknown");
  }
}
