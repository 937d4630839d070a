import { withEffect } from "@tmpm/core/errors";

/** Runs the steps after a start. The program runs even if one fails, so the effect of an error is unknown. */
export async function afterStart<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw withEffect(error, "unknown");
  }
}
