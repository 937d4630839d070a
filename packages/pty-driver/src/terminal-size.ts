import { TmpmError } from "@tmpm/core/errors";

const MOST = 10_000;
/** Of a screen: a holder keeps every cell, and renders all of them at once. */
const MOST_CELLS = 1_000_000;

/** @throws INVALID_ARGUMENT */
export function requireSize({ columns, rows }: { readonly columns: number; readonly rows: number }): void {
  for (const [field, cells] of Object.entries({ columns, rows })) {
    if (!Number.isInteger(cells) || cells < 1 || cells > MOST) throw invalid(field, `${cells} is not a terminal size`);
  }
  if (columns * rows <= MOST_CELLS) return;
  throw invalid("columns", `${columns}x${rows} is too large for a PTY: a screen has at most ${MOST_CELLS} cells`);
}

function invalid(field: string, message: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { details: { field } });
}
