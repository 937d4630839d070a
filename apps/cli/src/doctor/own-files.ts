import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { hasErrno } from "@tmpm/core/errno";

export interface OwnFile {
  readonly path: string;
  readonly name: string;
  readonly stats: Stats;
}

/** Workspaces belong to sessions, so their modes are not checked. */
const THEIRS: ReadonlySet<string> = new Set(["workspaces", "trash"]);
/** Maximum number of files. */
const MOST = 20_000;

/** Everything below the data folder except workspaces and the folder itself. Links are not followed; files that vanish meanwhile are omitted. */
export function ownFiles(home: string): readonly OwnFile[] {
  const found: OwnFile[] = [];
  const folders = [home];
  for (let folder = folders.pop(); folder !== undefined && found.length < MOST; folder = folders.pop()) {
    for (const name of namesIn(folder)) {
      if (folder === home && THEIRS.has(name)) continue;
      const path = join(folder, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) continue;
      found.push({ path, name, stats });
      if (stats.isDirectory()) folders.push(path);
    }
  }
  return found;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "EACCES", "ENOTDIR")) return [];
    throw error;
  }
}
