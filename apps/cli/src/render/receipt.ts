import { ERRORS, type Receipt, ranOutOfTime, SEND_REASONS, type SendOutcome, visibleText } from "@tmpm/core";
import { oneLine } from "./one-line.js";

const MEANING: Record<SendOutcome, string> = {
  submitted: "submitted",
  typed_not_submitted: "typed, but not submitted",
  held: "held back; it is delivered once the reason has passed",
  refused: "refused; nothing was typed",
  unconfirmed: "sent, but its arrival was not confirmed",
};

/** The outcome of a send, the reason, the evidence, and any alteration. */
export function receiptLine(name: string, receipt: Receipt): string {
  const { outcome, reason, bytes, evidence, altered } = receipt;
  const why = outcome === "submitted" || reason === "accepted" ? "" : `: ${lowerFirst(SEND_REASONS[reason].title)}`;
  const seen = evidence.length === 0 ? "" : ` (${evidence.join("; ")})`;
  const changed = altered === null ? "" : `; altered: ${altered}`;
  return oneLine(`${name}: ${meaning(receipt)}${why}, ${bytes} ${bytes === 1 ? "byte" : "bytes"}${seen}${changed}`);
}

function meaning({ outcome, reason }: Receipt): string {
  return outcome === "held" && reason === "accepted" ? "accepted; it is delivered in the background" : MEANING[outcome];
}

/** The next step, and how to query a receipt that is not final. */
export function receiptNotes(name: string, { id, outcome, hint }: Receipt): readonly string[] {
  const again = outcome === "held" && id !== null ? [`\`tmpm send ${name} --receipt ${id.slice(0, 8)}\` shows its outcome.`] : [];
  return [...(hint === null ? [] : [hint]), ...again].map(visibleText);
}

/** The exit status: only `submitted` confirms execution; a held send is still pending. `timed`: the caller set a time limit for typing. */
export function receiptExit({ outcome, reason }: Receipt, { timed }: { readonly timed: boolean } = { timed: false }): number {
  if (outcome === "submitted" || outcome === "held") return 0;
  if (outcome !== "refused") return ERRORS.UNCONFIRMED.exit;
  return timed && ranOutOfTime(reason) ? ERRORS.TIMEOUT.exit : ERRORS.INVALID_STATE.exit;
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
