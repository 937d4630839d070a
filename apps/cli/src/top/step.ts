import type { Effect } from "./message.js";
import type { Named, TopState } from "./state.js";

/** The dashboard's next state, and its effects. */
export interface Step {
  readonly state: TopState;
  readonly effects: readonly Effect[];
}

export function still(state: TopState): Step {
  return { state, effects: [] };
}

export function named({ id, name, node }: Named): Named {
  return { id, name, node };
}
