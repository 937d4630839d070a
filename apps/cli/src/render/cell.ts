import type { Tone } from "./paint.js";

/** What stands at one place of a table, and how it looks; of what is too long the beginning is kept, or the end. */
export type Cell = string | { readonly text: string; readonly tone?: Tone; readonly keeps?: "end" };

/** Empty for a place where nothing stands. */
export function cellText(cell: Cell | undefined): string {
  return cell === undefined ? "" : typeof cell === "string" ? cell : cell.text;
}

export function cellTone(cell: Cell | undefined): Tone {
  return cell === undefined || typeof cell === "string" ? "plain" : (cell.tone ?? "plain");
}

export function keepsEnd(cell: Cell | undefined): boolean {
  return typeof cell === "object" && cell.keeps === "end";
}
