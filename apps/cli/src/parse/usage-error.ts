import { TmpmError } from "@tmpm/core";

/** An invalid command line. */
export function usageError(message: string, hint: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { hint });
}
