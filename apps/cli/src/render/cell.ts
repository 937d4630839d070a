import type { Tone } from "./paint.js";

/** A table cell and its style; a long text keeps its beginning, or its end. */
export type Cell = string | { readonly text: string; readonly tone?: Tone; readonly keeps?: "end" };

/** Empty for an empty cell. */
export function cellText(cell: Cell | undefined): string {
  return cell === undefined ? "" : typeof cell === "string" ? cell : cell.text;
}

export function cellTone(cell: Cell | undefined): Tone {
  return cell === undefined || typeof cell === "string" ? "plain" : (cell.tone ?? "plain");
}

export function keepsEnd(cell: Cell | undefined): boolean {
  return typeof cell === "object" && cell.keeps === "end";
}
