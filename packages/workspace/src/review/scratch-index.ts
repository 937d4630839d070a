import { mkdir, mkdtemp, open, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasErrno } from "@tmpm/core";
import type { GitOptions, Scratch } from "../git/git.js";
import { withoutRepositoryFilters } from "../git/repository-filters.js";
import { requireGit } from "../git/require-git.js";

/** The destination of new objects: a folder removed with the index, the repository, or another index's folder. */
export type ObjectPlace = "scratch" | "repository" | NonNullable<Scratch["objects"]>;

/** Uses a temporary copy of the work tree's index. The user's index is never written, and the copy is removed. */
export async function withScratchIndex<T>(
  options: GitOptions & { readonly objects: ObjectPlace },
  work: (scratched: GitOptions & { readonly scratch: Scratch }) => Promise<T>,
): Promise<T> {
  const { objects, ...git } = options;
  const [users, repositorys] = await pathsIn(git);
  return inScratchFolder(async (folder) => {
    const index = join(folder, "index");
    await copyIndex(users, index);
    const own = objects === "scratch" ? { folder: join(folder, "objects"), repositorys } : objects;
    if (objects === "scratch") await mkdir(join(folder, "objects"));
    return work({ ...git, scratch: { index, objects: own === "repository" ? null : own } });
  });
}

/** A temporary folder, removed afterwards. */
export async function inScratchFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "tmpm-index-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Copies an index with its time. Git compares that with the times of files to find those that were changed right after they were added: with
 * a newer index, they would count as unchanged. A repository without an index has no copy.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const file = await open(from);
    try {
      const { mtimeMs } = await file.stat();
      await writeFile(to, await file.readFile());
      // Nanoseconds cannot be copied; with an older time git only compares more files.
      const seconds = Math.floor(mtimeMs / 1000);
      await utimes(to, seconds, seconds);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!hasErrno(error, "ENOENT")) throw error;
  }
}

/** The work tree's index and the repository's objects. */
async function pathsIn(git: GitOptions): Promise<readonly [string, string]> {
  const printed = await requireGit(["rev-parse", "--path-format=absolute", "--git-path", "index", "--git-path", "objects"], git);
  // A folder's name may hold newlines.
  const [, index = "", objects = ""] = /^(.*\/index)\n(\/.*)\n$/s.exec(printed) ?? [];
  return [index, objects];
}

export interface Snapshot {
  readonly tree: string;
  /** Why the tree lacks a file of the work tree. */
  readonly notes: readonly string[];
}

/** A scratch index for changes that are not written into it. */
export const READING = { "core.splitIndex": "false", "core.ignoreStat": "false", "advice.addEmbeddedRepo": "false" };

/** Temporary objects are neither synced nor compressed. */
const FAST = {
  "core.compression": "0",
  // Everything goes into one pack instead of a file each.
  "core.bigFileThreshold": "1",
  "core.fsync": "none",
  "core.splitIndex": "false",
  "advice.addEmbeddedRepo": "false",
};

/** All files of the work tree except ignored ones, as a tree: committed, changed, and untracked. */
export async function snapshotTree(scratched: GitOptions & { readonly scratch: Scratch }): Promise<Snapshot> {
  const filters = await withoutRepositoryFilters(scratched);
  const git = { ...scratched, config: { ...filters, ...FAST, ...scratched.config } };
  const notes = await addAll(git);
  return { tree: (await requireGit(["write-tree"], git)).trim(), notes };
}

/** Adds all files of the work tree except ignored ones to the scratch index. Returns why one is missing. */
export async function addAll(git: GitOptions & { readonly scratch: Scratch }): Promise<readonly string[]> {
  const unread: string[] = [];
  const onStderr = (text: string) => void unread.push(text);
  await requireGit(["add", "--all", "--ignore-errors", "--sparse"], { ...git, onStderr, accept: [0, 1] });
  const failed = unread
    .join("")
    .split("\n")
    .filter((line) => line.startsWith("error: "))
    .map((line) => line.slice("error: ".length));
  return failed.length === 0 ? [] : [`some of it could not be read: ${failed.slice(0, 3).join("; ")}`];
}
