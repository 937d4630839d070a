import { visibleText } from "@tmpm/core";

const GAP = "  ";
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/gu;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/gu;

/** Rows of cells as lines, the columns aligned; every cell becomes one printable line. */
export function columns(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => width(row[column] ?? ""))));
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
  return cell + " ".repeat(Math.max(0, to - width(cell)));
}

/** Cells that a terminal gives the text. */
function width(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  const wide = text.match(WIDE)?.length ?? 0;
  const none = text.match(NO_WIDTH)?.length ?? 0;
  return Array.from(text).length + wide - none;
}
