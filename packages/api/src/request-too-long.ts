import { TmpmError } from "@tmpm/core/errors";

/** Maximum size of a request's line and headers. A thousand sessions by id, as `waitMany` takes them, are 46 KiB. */
export const MOST_HEADER_BYTES = 64 * 1024;

/** The error for a longer request, whose status is 431. */
export function requestTooLong(): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", `the request is longer than ${MOST_HEADER_BYTES / 1024} KiB`, {
    effect: "none",
    hint: "Name fewer sessions or paths at once.",
  });
}
