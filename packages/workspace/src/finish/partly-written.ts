import { lstat, readFile } from "node:fs/promises";
import { hasErrno } from "@tmpm/core";
import { type GitOptions, git as runGit } from "../git/git.js";
import { textOf } from "../review/byte-text.js";
import { below, type ChangedPath } from "./changed-paths.js";

/** Only these are compared: a disk that is full leaves mostly empty files. */
const MOST_FILES = 20;
const MOST_BYTES = 8 * 1024 * 1024;

/** The files with only the beginning of their new content, or none of it. */
export async function partlyWritten(
  git: GitOptions & { readonly directory: string },
  changes: readonly ChangedPath[],
): Promise<readonly ChangedPath[]> {
  const parts: ChangedPath[] = [];
  let compared = 0;
  for (const change of changes) {
    const size = await sizeOf(below(git.directory, change.path));
    if (size === null) continue;
    if (size > 0) compared += 1;
    if (size === 0 || (compared <= MOST_FILES && size <= MOST_BYTES && (await isBeginning(git, change)))) parts.push(change);
  }
  return parts;
}

/** Null for anything but a file. */
async function sizeOf(path: Buffer): Promise<number | null> {
  try {
    const found = await lstat(path);
    return found.isFile() ? found.size : null;
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
}

async function isBeginning(git: GitOptions & { readonly directory: string }, { path, newId }: ChangedPath): Promise<boolean> {
  const name = textOf(path);
  if (name === null || newId === null) return false;
  const whole = await runGit(["cat-file", "--filters", `--path=${name}`, newId], { ...git, encoding: "latin1" });
  if (whole.kind !== "exited" || whole.exitCode !== 0) return false;
  return whole.stdout.startsWith(await readFile(below(git.directory, path), "latin1"));
}
