import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "./line-reader.js";

export interface FileSearch {
  /** Number of folder levels below the root. */
  readonly depth: number;
  readonly is: (name: string) => boolean;
}

/** The first accepted file below `root`, visiting folders and files from the last name to the first; null without one. */
export async function findFile(root: string, wanted: FileSearch): Promise<string | null> {
  const entries = await entriesOf(root);
  for (const entry of entries) {
    const path = join(root, entry.name);
    if (entry.isFile() && wanted.depth === 0 && wanted.is(entry.name)) return path;
    if (!entry.isDirectory() || wanted.depth === 0) continue;
    const found = await findFile(path, { ...wanted, depth: wanted.depth - 1 });
    if (found !== null) return found;
  }
  return null;
}

/** All accepted files below `root`. */
export async function findFiles(root: string, wanted: FileSearch): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await entriesOf(root)) {
    const path = join(root, entry.name);
    if (entry.isFile() && wanted.depth === 0 && wanted.is(entry.name)) found.push(path);
    if (entry.isDirectory() && wanted.depth > 0) found.push(...(await findFiles(path, { ...wanted, depth: wanted.depth - 1 })));
  }
  return found;
}

async function entriesOf(path: string) {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? 1 : -1));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
