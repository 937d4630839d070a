import { TmpmError } from "@tmpm/core";

/** What a daemon that stops answers; why what waits in it ends. */
export function shuttingDown(effect: "none" | "unknown" = "none"): TmpmError {
  return new TmpmError("SHUTTING_DOWN", "the daemon is stopping", {
    effect,
    hint: "Try again; the next daemon starts by itself.",
    details: { retry_after_s: 1 },
  });
}
