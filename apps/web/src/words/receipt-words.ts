import type { SendAnswer } from "@tmpm/api";
import { oneLine } from "./shown.js";

export interface ReceiptWords {
  readonly sign: string;
  readonly tone: "work" | "need" | "error" | "soft";
  readonly text: string;
}

type Receipt = SendAnswer["receipt"];

const OUTCOMES: Readonly<Record<Receipt["outcome"], Omit<ReceiptWords, "text"> & { readonly word: string }>> = {
  submitted: { sign: "✓", tone: "work", word: "submitted" },
  typed_not_submitted: { sign: "…", tone: "need", word: "typed, not submitted" },
  held: { sign: "…", tone: "soft", word: "waits" },
  refused: { sign: "×", tone: "error", word: "not sent" },
  unconfirmed: { sign: "?", tone: "need", word: "sent, not confirmed" },
};

/** The outcome of a send, with its evidence. */
export function receiptWords({ outcome, evidence, altered, hint, reason }: Receipt): ReceiptWords {
  const { sign, tone, word } = OUTCOMES[outcome];
  const why = evidence.length === 0 ? reason.replaceAll("_", " ") : evidence.join("; ");
  const rest = [altered === null ? "" : `altered: ${altered}`, hint ?? ""].filter((part) => part !== "");
  return { sign, tone, text: oneLine([`${word}: ${why}`, ...rest].join(". ")) };
}
