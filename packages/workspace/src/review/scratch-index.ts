import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
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
  const folder = await mkdtemp(join(tmpdir(), "tmpm-index-"));
  try {
    const index = join(folder, "index");
    const [users, repositorys] = await pathsIn(git);
    await copyIndex(users, index);
    const own = objects === "scratch" ? { folder: join(folder, "objects"), repositorys } : objects;
    if (objects === "scratch") await mkdir(join(folder, "objects"));
    return await work({ ...git, scratch: { index, objects: own === "repository" ? null : own } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyIndex(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    // A repository with an empty index.
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
  const config = { ...(await withoutRepositoryFilters(scratched)), ...FAST, ...scratched.config };
  const git = { ...scratched, config };
  const unread: string[] = [];
  const onStderr = (text: string) => void unread.push(text);
  await requireGit(["add", "--all", "--ignore-errors", "--sparse"], { ...git, onStderr, accept: [0, 1] });
  const tree = (await requireGit(["write-tree"], git)).trim();
  const failed = unread
    .join("")
    .split("\n")
    .filter((line) => line.startsWith("error: "))
    .map((line) => line.slice("error: ".length));
  return { tree, notes: failed.length === 0 ? [] : [`some of it could not be read: ${failed.slice(0, 3).join("; ")}`] };
}
