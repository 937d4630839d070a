/** What a host's silence is called, by whoever kept it: it may have done what it was asked, or may do it later. */
export const UNANSWERED = ["TMUX_UNRESPONSIVE", "UNRESPONSIVE"] as const;
