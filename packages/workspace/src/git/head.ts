import { holderOf } from "./branch-holder.js";
import { commitOf, headCommit } from "./commit-of.js";
import type { GitOptions } from "./git.js";
import { requireGit } from "./require-git.js";

export interface Head {
  readonly branch: string | null;
  readonly commit: string | null;
}

export async function headOf(options: GitOptions): Promise<Head> {
  const both = await requireGit(["rev-parse", "HEAD^{commit}", "--symbolic-full-name", "HEAD"], { ...options, accept: [0, 128] });
  const [, commit, ref] = /^([0-9a-f]+)\n(.+)\n$/.exec(both) ?? [];
  if (commit !== undefined && ref !== undefined) return { branch: branchIn(ref), commit };
  // Before the first commit, or with a branch named HEAD, these are two queries.
  const symbolic = await requireGit(["symbolic-ref", "--quiet", "HEAD"], { ...options, accept: [0, 1] });
  return { branch: branchIn(symbolic.replace(/\n$/, "")), commit: await headCommit(options) };
}

function branchIn(ref: string): string | null {
  return /^refs\/heads\/(.+)$/s.exec(ref)?.[1] ?? null;
}

/** Detaches HEAD at the same commit, without touching index and files. Before the first commit it stays. */
export async function detachHead(options: GitOptions, { branch, commit }: Head): Promise<void> {
  if (branch === null || commit === null) return;
  await requireGit(["update-ref", "--no-deref", "-m", "tmpm: workspace moved to the trash", "HEAD", commit], {
    ...options,
    effect: "unknown",
  });
}

/** Attaches HEAD to its branch again. Returns why not, when the branch has moved or is checked out elsewhere; null on success. */
export async function attachHead(options: GitOptions, { branch, commit, root }: Head & { readonly root: string }): Promise<string | null> {
  if (branch === null || commit === null) return null;
  const now = await headOf(options);
  if (now.branch === branch) return null;
  if (now.commit !== commit) return "its HEAD was moved meanwhile";
  const tip = await commitOf(`refs/heads/${branch}`, options);
  if (tip !== commit) return `branch ${branch} ${tip === null ? "is gone" : "has moved on"}, so no branch is checked out`;
  const elsewhere = await holderOf(options, { branch, root });
  if (elsewhere !== null && !elsewhere.dead)
    return `branch ${branch} is checked out in ${JSON.stringify(elsewhere.path)} now, so no branch is checked out`;
  await requireGit(["symbolic-ref", "-m", "tmpm: workspace restored", "HEAD", `refs/heads/${branch}`], {
    ...options,
    effect: "unknown",
  });
  return null;
}
