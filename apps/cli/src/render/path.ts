import type { Cell } from "./cell.js";

/** A path at a place of a table: its end says most. */
export function pathCell(path: string, userHome: string | null): Cell {
  return { text: shortPath(path, userHome), keeps: "end" };
}

/** A path as people write it: with `~` for the home folder. */
export function shortPath(path: string, userHome: string | null): string {
  if (userHome === null || userHome === "/") return path;
  if (path === userHome) return "~";
  return path.startsWith(`${userHome}/`) ? `~${path.slice(userHome.length)}` : path;
}
