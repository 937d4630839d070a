/** The observation of one text at a real agent. */
export interface Trial {
  /** The sent text, with line ends normalised to LF. */
  readonly text: string;
  /** The only form in which the model gets it according to the adapter; null if the adapter declares it unknown. */
  readonly declared: readonly string[];
  /** The end of the send: an outcome of a receipt, or the code of an error. */
  readonly outcome: string;
  readonly reason: string | null;
  /** Difference from the sent text according to the receipt. */
  readonly altered: string | null;
  /** The texts that reached the model for it. */
  readonly received: readonly string[];
  readonly damage: readonly Damage[];
}

export type Damage = "cleared" | "exited" | "dialog" | "leftover" | "ran" | "later sends blocked";

/** `exact`, altered as `declared`, `refused` before anything was typed, or none of these. */
export type Verdict = "exact" | "declared" | "refused" | "wrong";

/** `unknown`: the receipt states that the outcome is unknown. */
export type ReceiptVerdict = "right" | "unknown" | "false";

export interface Judged {
  readonly verdict: Verdict;
  readonly receipt: ReceiptVerdict;
}

const NOT_TYPED = ["refused", "INVALID_TEXT", "TEXT_TOO_LARGE"];

/** Reasons of a refusal that concern the session, not the text: leftovers of an earlier one block it. */
const IN_THE_WAY = ["draft", "dialog", "not_ready", "behind_another", "session_ended", "failed"];

export function judge(trial: Trial): Judged {
  return { verdict: verdictOf(trial), receipt: receiptOf(trial) };
}

function verdictOf(trial: Trial): Verdict {
  const { text, declared, received, outcome, reason, damage } = trial;
  if (damage.length > 0) return "wrong";
  const notTyped = NOT_TYPED.includes(outcome) && !IN_THE_WAY.includes(reason ?? "");
  if (received.length === 0) return notTyped ? "refused" : "wrong";
  if (received.length > 1) return "wrong";
  if (received[0] === text) return "exact";
  return declared.includes(received[0] ?? "") ? "declared" : "wrong";
}

function receiptOf({ text, declared, received, outcome, altered }: Trial): ReceiptVerdict {
  if (outcome === "unconfirmed" || outcome === "held") return "unknown";
  if (outcome !== "submitted") return received.length === 0 ? "right" : "false";
  const [first, ...more] = received;
  if (first === undefined || more.length > 0) return "false";
  if (first === text) return altered === null ? "right" : "false";
  return altered !== null && declared.includes(first) ? "right" : "false";
}
