import type { View } from "../context.js";
import { type Cell, cellText, cellTone } from "./cell.js";
import { cellWidth, cutTo } from "./cell-width.js";
import { oneLine } from "./one-line.js";
import { paint } from "./paint.js";
import { plainText } from "./shown-text.js";
import { NO_TERMINAL } from "./terminal-view.js";
import { wrapped } from "./wrapped.js";

const GAP = 2;
/** Minimum number of cells next to a label; with fewer, the text is placed below it. */
const LEAST = 24;
const BELOW = 4;
/** Maximum share of a line for a label column. */
const MOST = 0.6;

/** Aligned labels with texts of any length; wrapped in a terminal, one line in a pipe or a file. */
export function facts(rows: readonly (readonly Cell[])[], { terminal = NO_TERMINAL }: Pick<View, "terminal">): string {
  const plain = (cell: Cell | undefined) => plainText(oneLine(cellText(cell)), terminal);
  const most = terminal.columns === null ? Number.POSITIVE_INFINITY : Math.floor(terminal.columns * MOST);
  const leading = (cell: Cell | undefined) => cutTo(plain(cell), { cells: most, mark: terminal.unicode ? "…" : "~" });
  const widths = (rows[0] ?? []).slice(0, -1).map((_, column) => Math.max(...rows.map((row) => cellWidth(leading(row[column])))));
  const lead = widths.reduce((sum, width) => sum + width + GAP, 0);
  return rows
    .flatMap((row) => {
      const spans = widths.map((width, column) => {
        const text = leading(row[column]);
        return [{ text, tone: cellTone(row[column]) }, { text: " ".repeat(width - cellWidth(text) + GAP) }];
      });
      const painted = paint(spans.flat(), { colour: terminal.colour });
      const text = plain(row.at(-1));
      if (terminal.columns === null || lead + cellWidth(text) <= terminal.columns) return [`${painted}${text}`.trimEnd()];
      const room = terminal.columns - lead;
      const [first = "", ...others] = wrapped(text, { cells: room, hang: 0 });
      if (room >= LEAST && [first, ...others].every((line) => cellWidth(line) <= room))
        return [`${painted}${first}`, ...others.map((line) => " ".repeat(lead) + line)];
      const below = wrapped(text, { cells: terminal.columns - BELOW, hang: 0 }).map((line) => " ".repeat(BELOW) + line);
      return row.slice(0, -1).every((cell) => cellText(cell) === "") ? below : [painted.trimEnd(), ...below];
    })
    .join("\n");
}
