import type { Receipt, Turn } from "@tmpm/core";

/** The current receipt of a prompt that the launch passes, from its turn; null for a turn that keeps none. */
export function turnReceipt({ id, state, reason, receipt }: Turn): Receipt | null {
  if (receipt === null || receipt.outcome !== "held" || state !== "ended") return receipt;
  if (receipt.reason === "accepted")
    return reason === "taken_back"
      ? { ...receipt, id, outcome: "refused", reason: "cancelled", evidence: ["it was cancelled before the agent was launched"] }
      : { ...receipt, id, outcome: "refused", reason: "session_ended", evidence: ["the agent was not launched"] };
  // The agent of a turn that ended before it was seen to start may have had the prompt.
  const { why, what } = endOf(reason);
  return { ...receipt, outcome: "unconfirmed", reason: why, evidence: [...receipt.evidence, what] };
}

function endOf(reason: Turn["reason"]): { readonly why: Receipt["reason"]; readonly what: string } {
  switch (reason) {
    case "not_seen_to_stop":
      return { why: "carried", what: "it was cancelled, but the agent has it and may still start on it" };
    case "interrupted":
      return { why: "session_ended", what: "it was cancelled, and the session ended before the agent was seen to start on it" };
    case "session_closed":
    case "session_exited":
      return { why: "session_ended", what: "the session ended first" };
    default:
      return { why: "carried", what: "its turn ended before the agent was seen to start on it" };
  }
}
