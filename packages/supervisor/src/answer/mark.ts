import type { Decision } from "@tmpm/agents";

const MOVES: ReadonlySet<string> = new Set(["Up", "Down", "Left", "Right"]);

/** Whether the key only moves the mark in a list of choices, and decides nothing. */
export function isMove(key: string): boolean {
  return MOVES.has(key);
}

/** The position of the mark. The keys of the choices lead there from the mark, so they change with it. */
export function markOf({ choices }: Decision): string {
  return JSON.stringify(choices.map(({ keys }) => keys));
}

/**
 * A key that visibly moves the mark, and is harmless in an empty input if the dialog is already gone: `Up` would recall an earlier prompt
 * there.
 */
export function probeOf({ choices, markHidden }: Decision): "Down" | null {
  return markHidden !== true && choices.some(({ keys }) => keys?.[0] === "Down") ? "Down" : null;
}
