import type { Reading, ReadLimit } from "@tmpm/agents";
import type { ActivityState } from "@tmpm/core";

/** Something that an agent said had happened, through a hook or the protocol that it speaks. */
export interface Edge {
  readonly event: string;
  /** What the agent did from there on; null when the event says nothing of it. */
  readonly state: ActivityState | null;
  readonly source: "hook" | "protocol";
  readonly what: string;
  /** Milliseconds since 1970, as all times here. */
  readonly atMs: number;
  /** The usage limit that it reported. */
  readonly limit?: ReadLimit | null;
}

/** What one look showed to be so. */
export interface Level {
  readonly state: ActivityState;
  readonly source: Reading["source"];
  readonly confidence: number;
  readonly evidence: readonly string[];
  readonly atMs: number;
  /** When the terminal last printed something, so that it showed the same from then on; null when that is not known. */
  readonly printedMs: number | null;
  readonly limit?: ReadLimit | null;
}

/** A line of the account: what was seen or heard, when first and when last, how often in a row. */
export interface Evidence {
  readonly source: "hook" | Reading["source"];
  readonly state: ActivityState | null;
  readonly what: string;
  /** Between 0 and 1: how much it says by itself. */
  readonly weight: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly times: number;
}

/** Lines kept for every session. */
const KEPT = 20;
const HOOK_WEIGHT = 0.9;

export function edgeEvidence({ state, source, what, atMs }: Edge): Evidence {
  return { source, state, what, weight: state === null ? 0 : HOOK_WEIGHT, firstMs: atMs, lastMs: atMs, times: 1 };
}

export function levelEvidence({ state, source, confidence, evidence, atMs }: Level): Evidence {
  return { source, state, what: evidence.join("; "), weight: confidence, firstMs: atMs, lastMs: atMs, times: 1 };
}

/** The account, newest last; what the newest line of the same kind said already only makes that line longer. */
export function addEvidence(account: readonly Evidence[], line: Evidence): readonly Evidence[] {
  const before = account.findLastIndex(({ source }) => (source === "hook") === (line.source === "hook"));
  const same = account[before];
  if (same === undefined || same.what !== line.what || same.state !== line.state || same.source !== line.source) {
    return [...account, line].slice(-KEPT);
  }
  const longer = { ...same, weight: line.weight, lastMs: line.lastMs, times: same.times + 1 };
  return [...account.slice(0, before), ...account.slice(before + 1), longer];
}
