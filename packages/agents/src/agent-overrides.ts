import type { OverrideField, SessionOverrides } from "@tmpm/core";
import type { Observation } from "./adapter.js";
import type { KeyPlan } from "./screen/decision.js";

/** How an agent is given what a session uses in place of its own settings. Its `launch` takes them with `config`. */
export interface AgentOverrides {
  /** Those that it has a way for. */
  readonly fields: readonly OverrideField[];
  /** The only efforts that it knows; any when not given. */
  readonly efforts?: readonly string[];
  /** What is wrong with these together, in words; null when nothing is. */
  readonly problem?: (overrides: SessionOverrides) => string | null;
  /** How it changes while the agent runs; null for what only a launch can set. */
  readonly live?: (change: LiveChange) => LivePlan | null;
}

export interface LiveChange {
  readonly field: OverrideField;
  /** Null goes back to the agent's own. */
  readonly value: string | number | null;
  /** The environment of the session. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A command that is typed into the agent's empty input. */
export interface LivePlan {
  readonly command: string;
  /** What the screen says of it; null while nothing. */
  outcome(screen: Observation): LiveOutcome | null;
  /** A file of the user's in which the agent keeps the change for its other sessions too, which was not requested. */
  readonly spill?: Spill;
}

export type LiveOutcome =
  | { readonly kind: "applied"; readonly evidence: string }
  | { readonly kind: "refused"; readonly message: string }
  /** It asks back, and these keys say yes. */
  | { readonly kind: "asks"; readonly keys: KeyPlan };

export interface Spill {
  /** Absolute. */
  readonly path: string;
  /** The file as it should be, from what it was before the command and what it is now; null when it may stay as it is. */
  undone(before: string | null, now: string | null): string | null;
}
