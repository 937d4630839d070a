import type { Observation, Reading } from "./adapter.js";

const SHELLS = /^-?(?:ba|z|fi|da|k|c|tc)?sh$/u;

export function reading(state: Reading["state"], seen: Partial<Reading>): Reading {
  return { state, source: "screen", confidence: 0.5, evidence: [], hint: null, draft: null, decision: null, ...seen };
}

/** A shell is the terminal's foreground program; a wrapper script around an agent shows as one too. */
export function shellRuns({ command }: Observation): boolean {
  return SHELLS.test(command);
}

/** What is to be done about a dialog begins with this. */
export const ATTACH = "Attach to the session and";
