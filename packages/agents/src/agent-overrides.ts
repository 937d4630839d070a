import type { OverrideField, SessionOverrides } from "@tmpm/core";
import type { Observation } from "./adapter.js";
import type { KeyPlan } from "./screen/decision.js";

/** How an agent gets a session's overrides. Its `launch` takes them with `config`. */
export interface AgentOverrides {
  readonly fields: readonly OverrideField[];
  /** The only efforts that it knows; any when undefined. */
  readonly efforts?: readonly string[];
  /** Why these overrides are invalid together, in words; null when they are valid. */
  readonly problem?: (overrides: SessionOverrides) => string | null;
  /** How it changes while the agent runs; null when only a launch can set it. */
  readonly live?: (change: LiveChange) => LivePlan | null;
}

export interface LiveChange {
  readonly field: OverrideField;
  /** Null restores the agent's default. */
  readonly value: string | number | null;
  /** The environment of the session. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A command typed into the agent's empty input. */
export interface LivePlan {
  readonly command: string;
  /** The outcome on the screen; null while there is none. */
  outcome(screen: Observation): LiveOutcome | null;
  /** A user's file in which the agent also saves the change for its other sessions, which was not requested. */
  readonly spill?: Spill;
}

export type LiveOutcome =
  | { readonly kind: "applied"; readonly evidence: string }
  | { readonly kind: "refused"; readonly message: string }
  /** The agent asks for confirmation, and these keys give it. */
  | { readonly kind: "asks"; readonly keys: KeyPlan };

export interface Spill {
  /** Absolute. */
  readonly path: string;
  /** The file to restore, from its content before the command and its current one; null when it may stay as it is. */
  undone(before: string | null, now: string | null): string | null;
}
