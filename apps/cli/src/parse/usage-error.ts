import { TmpmError } from "@tmpm/core";

/** A command line that cannot be obeyed. */
export function usageError(message: string, hint: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { hint });
}
