import type { Observation, Reading } from "../adapter.js";

const SHELLS = /^-?(?:ba|z|fi|da|k|c|tc)?sh$/u;

export function reading(state: Reading["state"], seen: Partial<Reading>): Reading {
  return { state, source: "screen", confidence: 0.5, evidence: [], hint: null, draft: null, decision: null, ...seen };
}

/**
 * A shell is the terminal's foreground program and has printed something; a wrapper script around an agent looks the same. The script that
 * launches an agent is a shell for a moment, on an empty screen.
 */
export function shellRuns({ command, lines, historySize }: Observation): boolean {
  return SHELLS.test(command) && (historySize > 0 || lines.some((line) => line.trim() !== ""));
}

/** Prefix of a hint about a dialog. */
export const ATTACH = "Attach to the session and";
