import { TmpmError } from "@tmpm/core/errors";

/** Runs what follows a start. The program runs, whatever fails then: the effect of an error is unknown. */
export async function afterStart<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof TmpmError)) throw error;
    const { code, message, hint, details } = error;
    throw new TmpmError(code, message, { effect: "unknown", details, cause: error, ...(hint === null ? {} : { hint }) });
  }
}
