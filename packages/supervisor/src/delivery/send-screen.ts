import type { Observation } from "@tmpm/agents";
import type { SendScreen } from "@tmpm/core";

/** A screen as stored with a send. */
export function screenOf(observation: Observation): SendScreen {
  const { lines, columns, cursor, historySize, title, foreground, command } = observation;
  return { lines: [...lines], columns, cursor: { ...cursor }, history_size: historySize, title, foreground, command };
}

/** The observation for an adapter from a stored screen. */
export function observationOf({ history_size, ...screen }: SendScreen): Observation {
  return { ...screen, historySize: history_size, dead: false };
}

/** Nothing was printed between the two: only the title may have changed. */
export function sameScreen(a: Observation, b: Observation): boolean {
  const place = ({ cursor, columns, historySize }: Observation) => `${cursor.column} ${cursor.row} ${columns} ${historySize}`;
  return place(a) === place(b) && a.lines.join("\n") === b.lines.join("\n");
}
