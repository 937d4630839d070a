import { visibleText } from "@tmpm/core";
import { cellWidth } from "./cell-width.js";

const GAP = "  ";
/** Rows of cells as lines, the columns aligned; every cell becomes one printable line. */
export function columns(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => cellWidth(row[column] ?? ""))));
  return cells
    .map((row) =>
      row
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

/** A text as one line without control characters. */
export function oneLine(text: string): string {
  return visibleText(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** At most `most` characters. */
export function clip(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

function pad(cell: string, to: number): string {
  return cell + " ".repeat(Math.max(0, to - cellWidth(cell)));
}
