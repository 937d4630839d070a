import type { Tone } from "./paint.js";

/** What stands at one place of a table, and how it looks. */
export type Cell = string | { readonly text: string; readonly tone: Tone };

/** Empty for a place where nothing stands. */
export function cellText(cell: Cell | undefined): string {
  return cell === undefined ? "" : typeof cell === "string" ? cell : cell.text;
}

export function cellTone(cell: Cell | undefined): Tone {
  return cell === undefined || typeof cell === "string" ? "plain" : cell.tone;
}
