import type { Receipt, SendOutcome, SendReason } from "@tmpm/core";

/** What became of a text, and why. */
export interface Verdict {
  readonly outcome: SendOutcome;
  readonly reason: SendReason;
  readonly evidence: readonly string[];
  readonly hint?: string | null;
  /** What the input shows of the text, where nothing else stands in it; empty while it shows nothing yet; null or absent when none of it can be left there. */
  readonly left?: string | null;
  /** What is not as it was sent, beyond what was known before. */
  readonly altered?: string;
}

export interface ReceiptOptions {
  /** Null for a prompt that no send carried. */
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
