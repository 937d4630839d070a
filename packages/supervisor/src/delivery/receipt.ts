import type { Receipt, SendOutcome, SendReason } from "@tmpm/core";

/** The outcome of a text, with the reason. */
export interface Verdict {
  readonly outcome: SendOutcome;
  readonly reason: SendReason;
  readonly evidence: readonly string[];
  readonly hint?: string | null;
  /**
   * The text shown in the input, if nothing else is there; empty while nothing shows yet; null or undefined when none of it can be left
   * there.
   */
  readonly left?: string | null;
  /** Differences from the text as sent, beyond those known before. */
  readonly altered?: string;
}

/** It may have been submitted. */
export function unconfirmed(reason: SendReason, ...evidence: readonly string[]): Verdict {
  return { outcome: "unconfirmed", reason, evidence, hint: "Check with `tmpm capture` before you repeat it." };
}

export interface ReceiptOptions {
  /** Null for a prompt without a send. */
  readonly id: string | null;
  readonly bytes: number;
  readonly altered?: string | null;
}

export function receiptOf(verdict: Verdict, { id, bytes, altered = null }: ReceiptOptions): Receipt {
  const { outcome, reason, evidence, hint = null } = verdict;
  const isTyped = outcome !== "refused" && outcome !== "held";
  return { id, outcome, reason, bytes, evidence: [...evidence], altered: isTyped ? altered : null, hint };
}

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
