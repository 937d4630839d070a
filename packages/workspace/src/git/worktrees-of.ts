import type { GitOptions } from "./git.js";
import { requireGit } from "./require-git.js";

export interface Worktree {
  readonly path: string;
  /** Null on a detached HEAD. */
  readonly branch: string | null;
  /** The reason of its lock; null when unlocked. */
  readonly locked: string | null;
}

/** The work trees of a repository from git's list, the main one first. @throws GIT_FAILED, PREREQUISITE_MISSING */
export async function worktreesOf(options: GitOptions): Promise<readonly Worktree[]> {
  const listed = await requireGit(["worktree", "list", "--porcelain", "-z"], options);
  // Fields end with NUL, and every entry with one more.
  return listed
    .split("\0\0")
    .map((entry) => entry.split("\0"))
    .flatMap((fields) => {
      const path = fieldOf(fields, "worktree");
      if (path === null) return [];
      return [{ path, branch: fieldOf(fields, "branch")?.replace(/^refs\/heads\//, "") ?? null, locked: fieldOf(fields, "locked") }];
    });
}

function fieldOf(fields: readonly string[], name: string): string | null {
  if (fields.includes(name)) return "";
  return fields.find((field) => field.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
}
