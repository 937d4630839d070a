import { ERRORS, type Receipt, type SendOutcome } from "@tmpm/core";
import { oneLine } from "./columns.js";

const MEANING: Record<SendOutcome, string> = {
  submitted: "submitted",
  typed_not_submitted: "typed, but not submitted; look with `tmpm capture`, then press Enter with `tmpm keys`",
  held: "held back until the session takes input again",
  refused: "refused; nothing was typed",
  unconfirmed: "sent, but nothing showed that it arrived; look with `tmpm capture` before you repeat it",
};

/** What became of a text, and what was seen. */
export function receiptLine(name: string, { outcome, bytes, evidence }: Receipt): string {
  const seen = evidence.length === 0 ? "" : ` (${evidence.join("; ")})`;
  return oneLine(`${name}: ${MEANING[outcome]}, ${bytes} ${bytes === 1 ? "byte" : "bytes"}${seen}`);
}

/** Only `submitted` was seen to go into execution. */
export function receiptExit({ outcome }: Receipt): number {
  if (outcome === "submitted") return 0;
  return outcome === "refused" ? ERRORS.INVALID_STATE.exit : ERRORS.UNCONFIRMED.exit;
}
