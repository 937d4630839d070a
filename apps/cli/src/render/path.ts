import type { Cell } from "./cell.js";

/** A path as a table cell, truncated at its beginning. */
export function pathCell(path: string, userHome: string | null): Cell {
  return { text: shortPath(path, userHome), keeps: "end" };
}

/** A path in short form: with `~` for the home folder. */
export function shortPath(path: string, userHome: string | null): string {
  if (userHome === null || userHome === "/") return path;
  if (path === userHome) return "~";
  return path.startsWith(`${userHome}/`) ? `~${path.slice(userHome.length)}` : path;
}
