import type { ErrorCode } from "@tmpm/core";

/** Groups of codes that many routes share; `errorsOf` adds `EVERY`, `SESSION`, `BODY` and `WRITE` by itself. */
export const MAY_FAIL = {
  EVERY: [
    "INVALID_ARGUMENT",
    "DAEMON_VERSION",
    "UNAUTHENTICATED",
    "SCOPE_REFUSED",
    "RATE_LIMITED",
    "HOST_REFUSED",
    "ORIGIN_REFUSED",
    "SHUTTING_DOWN",
    "OVERLOADED",
    "TIMEOUT",
    "RESOURCE_EXHAUSTED",
    "UNRESPONSIVE",
    "INTERNAL",
  ],
  /** Routes that name a session. */
  SESSION: ["TOKEN_REFUSED", "SESSION_NOT_FOUND", "SESSION_AMBIGUOUS", "RECORD_DAMAGED", "RECORD_UNSUPPORTED"],
  BODY: ["TEXT_TOO_LARGE"],
  /** Routes that change something. */
  WRITE: ["IDEMPOTENCY_MISMATCH", "REQUEST_INTERRUPTED", "STORE_DEGRADED", "STORE_READ_ONLY", "STORAGE_FULL"],
  TMUX: ["HOST_UNAVAILABLE", "TMUX_NOT_FOUND", "TMUX_TOO_OLD", "TMUX_UNRESPONSIVE", "TMUX_FAILED"],
  PANE: ["PANE_GONE", "PANE_FOREIGN", "PANE_DEAD"],
  TYPING: ["PANE_IN_MODE", "LINE_TOO_LONG", "INVALID_TEXT", "TEXT_TOO_LARGE"],
  LAUNCH: ["AGENT_UNKNOWN", "AGENT_NOT_INSTALLED", "DIRECTORY_NOT_FOUND", "LAUNCH_FAILED", "UNSAFE_PATH"],
} as const satisfies Record<string, readonly ErrorCode[]>;
