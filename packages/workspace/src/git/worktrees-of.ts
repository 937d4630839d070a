import { TmpmError } from "@tmpm/core";
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
  // Fields end with NUL, and every entry with one more.
  return (await listedOf(options))
    .split("\0\0")
    .map((entry) => entry.split("\0"))
    .flatMap((fields) => {
      const path = fieldOf(fields, "worktree");
      if (path === null) return [];
      return [{ path, branch: fieldOf(fields, "branch")?.replace(/^refs\/heads\//, "") ?? null, locked: fieldOf(fields, "locked") }];
    });
}

/** Git before 2.36 rejects `-z` with exit status 129. Otherwise the list is never empty. */
async function listedOf(options: GitOptions): Promise<string> {
  const listed = await requireGit(["worktree", "list", "--porcelain", "-z"], { ...options, accept: [0, 129] });
  return listed === "" ? fromLines(await requireGit(["worktree", "list", "--porcelain"], options)) : listed;
}

const LATER_FIELD = /^(?:HEAD [0-9a-f]+|branch .+|bare|detached|locked(?: .*)?|prunable(?: .*)?)$/;

/** Names are printed as they are, so that a line break in one is noticed only by the lines that it leaves. @throws GIT_FAILED */
export function fromLines(listed: string): string {
  const entries = listed
    .replace(/\n+$/, "")
    .split("\n\n")
    .map((entry) => entry.split("\n"));
  const odd = entries.some(([first = "", ...rest]) => !first.startsWith("worktree ") || rest.some((line) => !LATER_FIELD.test(line)));
  if (odd) {
    throw new TmpmError("GIT_FAILED", "a work tree has a line break in its name, which git before 2.36 cannot list", {
      hint: "Rename that directory with `git worktree move`, or update git.",
    });
  }
  return entries.map((fields) => `${fields.join("\0")}\0\0`).join("");
}

function fieldOf(fields: readonly string[], name: string): string | null {
  if (fields.includes(name)) return "";
  return fields.find((field) => field.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
}
