import type { GitOptions } from "./git.js";
import { askGit, requireGit } from "./require-git.js";

/** The commit that a ref names; null when there is no such ref. */
export async function commitOf(ref: string, options: GitOptions): Promise<string | null> {
  if (!(await askGit(["show-ref", "--verify", "--quiet", "--", ref], options))) return null;
  return (await requireGit(["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`], options)).trim();
}

/** What HEAD is at; null before the first commit. */
export async function headCommit(options: GitOptions): Promise<string | null> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"];
  return (await requireGit(args, { ...options, accept: [0, 1] })).trim() || null;
}
