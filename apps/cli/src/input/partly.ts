import { isTmpmError, TmpmError } from "@tmpm/core";

/** A step after others that took effect: its failure also names what was done. Null where nothing was. */
export async function partly<T>(step: Promise<T>, done: string | null): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (done === null || !isTmpmError(error)) throw error;
    const { code, message, hint, details } = error;
    throw new TmpmError(code, `${message}; ${done}`, {
      effect: "unknown",
      ...(hint === null ? {} : { hint }),
      details: { ...details, done },
      cause: error,
    });
  }
}
