import { TmpmError } from "@tmpm/core";

/** The error of a stopping daemon, and the reason for which pending waits end. */
export function shuttingDown(effect: "none" | "unknown" = "none"): TmpmError {
  return new TmpmError("SHUTTING_DOWN", "the daemon is stopping", {
    effect,
    hint: "Try again; the next daemon starts automatically.",
    details: { retry_after_s: 1 },
  });
}
