import type { Reading, ReadLimit } from "@tmpm/agents";
import type { ActivityState } from "@tmpm/core";

/** A change that an agent reported, through a hook or its protocol. */
export interface Edge {
  readonly event: string;
  /** The agent's activity from then on; null when the event does not determine it. */
  readonly state: ActivityState | null;
  readonly source: "hook" | "protocol";
  readonly what: string;
  /** Milliseconds since 1970, as all times here. */
  readonly atMs: number;
  /** The usage limit in it. */
  readonly limit?: ReadLimit | null;
}

/** The state shown by one look. */
export interface Level {
  readonly state: ActivityState;
  readonly source: Reading["source"];
  readonly confidence: number;
  readonly evidence: readonly string[];
  readonly atMs: number;
  /** When the terminal last printed, so that it has shown the same since; null when unknown. */
  readonly printedMs: number | null;
  readonly limit?: ReadLimit | null;
}

/** An entry in the list of evidence: the observation or report, its first and last time, and its number of repetitions. */
export interface Evidence {
  readonly source: "hook" | Reading["source"];
  readonly state: ActivityState | null;
  readonly what: string;
  /** Between 0 and 1: its confidence. */
  readonly weight: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly times: number;
}

/** Number of entries kept for each session. */
const KEPT = 20;
const HOOK_WEIGHT = 0.9;

export function edgeEvidence({ state, source, what, atMs }: Edge): Evidence {
  return { source, state, what, weight: state === null ? 0 : HOOK_WEIGHT, firstMs: atMs, lastMs: atMs, times: 1 };
}

export function levelEvidence({ state, source, confidence, evidence, atMs }: Level): Evidence {
  return { source, state, what: evidence.join("; "), weight: confidence, firstMs: atMs, lastMs: atMs, times: 1 };
}

/** The list of evidence, newest last; a repeated entry of the same kind only extends the newest one. */
export function addEvidence(account: readonly Evidence[], line: Evidence): readonly Evidence[] {
  const before = account.findLastIndex(({ source }) => (source === "hook") === (line.source === "hook"));
  const same = account[before];
  if (same === undefined || same.what !== line.what || same.state !== line.state || same.source !== line.source) {
    return [...account, line].slice(-KEPT);
  }
  const longer = { ...same, weight: line.weight, lastMs: line.lastMs, times: same.times + 1 };
  return before === account.length - 1 ? account.with(before, longer) : [...account.slice(0, before), ...account.slice(before + 1), longer];
}
