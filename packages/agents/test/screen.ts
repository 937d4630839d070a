import type { Observation } from "../src/adapter.js";

const PLAIN: Observation = {
  lines: [],
  columns: 80,
  cursor: { column: 0, row: 0, visible: true },
  historySize: 0,
  title: "",
  foreground: null,
  command: "bash",
  dead: false,
};

/** A screen with the cursor after the last character of the last row. */
export function screen(lines: readonly string[], facts: Partial<Observation> = {}): Observation {
  const row = Math.max(0, lines.length - 1);
  return { ...PLAIN, lines, cursor: { column: (lines[row] ?? "").length, row, visible: true }, ...facts };
}
