/** The error codes of unresponsive hosts: the request may have been carried out, or may be later. */
export const UNANSWERED = ["TMUX_UNRESPONSIVE", "UNRESPONSIVE"] as const;
