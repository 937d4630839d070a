import { errnoOf, hasCode, isTmpmError, type SendReason } from "@tmpm/core";
import { UNANSWERED } from "../unanswered.js";

/** A failure of tmux, the agent, the store or the machine, which may not recur; anything else is a fault of tmpm. */
export function isPassing(error: unknown): error is Error {
  return isTmpmError(error) || errnoOf(error) !== null;
}

/** The reason of a receipt for an error. */
export function reasonOf(error: Error): SendReason {
  if (hasCode(error, "PANE_GONE", "PANE_FOREIGN", "PANE_DEAD")) return "session_ended";
  if (hasCode(error, ...UNANSWERED)) return "tmux_unanswered";
  if (hasCode(error, "LINE_TOO_LONG")) return "line_too_long";
  return hasCode(error, "PANE_IN_MODE") ? "copy_mode" : "failed";
}
