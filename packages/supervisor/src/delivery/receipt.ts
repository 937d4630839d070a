import type { AgentAdapter } from "@tmpm/agents";
import type { Receipt, SendOutcome, SendReason } from "@tmpm/core";

/** What became of a text, and why. */
export interface Verdict {
  readonly outcome: SendOutcome;
  readonly reason: SendReason;
  readonly evidence: readonly string[];
  readonly hint?: string | null;
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

/** What of a typed text is not as it was sent: what was changed before, and what the agent does to it on its own. */
export function alterationOf(
  adapter: AgentAdapter,
  { text, protection }: { readonly text: string; readonly protection: string | null },
): string | null {
  // An agent that cannot say which texts it alters may have altered any.
  const own = adapter.text === undefined ? adapter.limits.alters : adapter.text.alters(text);
  const changes = [protection, own].filter((change) => change !== null);
  return changes.length === 0 ? null : changes.join("; ");
}

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
