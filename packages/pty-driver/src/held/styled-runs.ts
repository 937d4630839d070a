import type { StyledRun } from "@tmpm/core";
import type { IBufferCell, IBufferLine } from "@xterm/headless";

type Style = Pick<StyledRun, "faint" | "italic" | "reverse" | "colour">;

/** The styled runs of a row, up to a position in its text (`translateToString`). */
export function styledRuns(line: IBufferLine, length: number): readonly StyledRun[] {
  const runs: StyledRun[] = [];
  let at = 0;
  let cell: IBufferCell | undefined;
  for (let column = 0; column < line.length && at < length; column++) {
    cell = line.getCell(column, cell);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const to = at + Math.max(1, cell.getChars().length);
    const style = styleOf(cell);
    if (style !== null) add(runs, { from: at, to, ...style });
    at = to;
  }
  return runs;
}

function styleOf(cell: IBufferCell): Style | null {
  if (cell.isAttributeDefault()) return null;
  const style = { faint: cell.isDim() !== 0, italic: cell.isItalic() !== 0, reverse: cell.isInverse() !== 0, colour: colourOf(cell) };
  return style.faint || style.italic || style.reverse || style.colour !== null ? style : null;
}

function colourOf(cell: IBufferCell): string | null {
  if (cell.isFgDefault()) return null;
  const colour = cell.getFgColor();
  return cell.isFgRGB() ? `#${colour.toString(16).padStart(6, "0")}` : String(colour);
}

/** Adjacent cells with the same style are one run. */
function add(runs: StyledRun[], next: StyledRun): void {
  const last = runs.at(-1);
  const goesOn =
    last !== undefined &&
    last.to === next.from &&
    last.faint === next.faint &&
    last.italic === next.italic &&
    last.reverse === next.reverse &&
    last.colour === next.colour;
  if (goesOn) runs[runs.length - 1] = { ...last, to: next.to };
  else runs.push(next);
}
