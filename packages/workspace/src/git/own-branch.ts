import type { Workspace } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { type BranchConfig, bringBackConfig, dropBranchConfig } from "./branch-config.js";
import { commitOf } from "./commit-of.js";
import type { GitOptions } from "./git.js";
import { askGit, requireGit } from "./require-git.js";

/** The result for a workspace's branch, with the reason. `commit` is the commit of a deleted one. */
export type BranchOutcome =
  | { readonly kind: "deleted"; readonly name: string; readonly commit: string }
  | { readonly kind: "kept"; readonly name: string; readonly why: string };

/**
 * Deletes the branch of a worktree if we made it and another ref contains all its commits. Git proves both in one transaction, so that two
 * branches containing each other's commits are never both deleted. Null for a clone, whose branches go with it.
 */
export async function dropOwnBranch(ctx: WorkspaceContext, workspace: Workspace): Promise<BranchOutcome | null> {
  const { branch: name, branch_made, repository } = workspace;
  const kept = (why: string): BranchOutcome => ({ kind: "kept", name, why });
  if (repository === null) return null;
  if (!branch_made) return kept("it existed before");
  const options = { directory: repository, env: ctx.env };
  const ref = `refs/heads/${name}`;
  const commit = await commitOf(ref, options);
  if (commit === null) return kept("it no longer exists");
  const holder = await holderOf(commit, { ref, options });
  if (holder === null) return kept("it has commits that exist nowhere else");
  const input = ["start", `verify ${holder.ref} ${holder.commit}`, `delete ${ref} ${commit}`, "prepare", "commit", ""].join("\n");
  const deleted = await askGit(["update-ref", "-m", "tmpm: its workspace was removed", "--stdin"], {
    ...options,
    input,
    effect: "unknown",
    no: [128],
  });
  if (!deleted) return kept("it changed meanwhile");
  await dropBranchConfig(options, name);
  return { kind: "deleted", name, commit };
}

/**
 * Another branch, remote branch, tag or ref of a finished session that contains the commit. Annotated tags are objects of their own, which
 * `verify` compares.
 */
async function holderOf(commit: string, of: { ref: string; options: GitOptions }): Promise<{ ref: string; commit: string } | null> {
  const args = [
    "for-each-ref",
    `--contains=${commit}`,
    "--format=%(objectname) %(symref) %(refname)",
    "refs/heads",
    "refs/remotes",
    "refs/tags",
    "refs/tmpm/finished",
  ];
  const listed = await requireGit(args, of.options);
  for (const line of listed.split("\n")) {
    // A symbolic ref, such as origin/HEAD, contains nothing itself.
    const [objectId, symref, ref] = line.split(" ");
    if (objectId !== undefined && symref === "" && ref !== undefined && ref !== of.ref) return { ref, commit: objectId };
  }
  return null;
}

/** The reflog message with the workspace that made a branch. */
export function madeMessage(nonce: string): string {
  return `branch: made for a tmpm workspace ${nonce}`;
}

/** Deletes the branch of an unfinished workspace, if its reflog shows that we made it and that it was not used since. */
export async function takeBackBranch(ctx: WorkspaceContext, { repository, branch, branch_made, base, nonce }: Workspace): Promise<void> {
  if (repository === null || !branch_made || base === null) return;
  const options = { directory: repository, env: ctx.env };
  const ref = `refs/heads/${branch}`;
  if ((await commitOf(ref, options)) !== base) return;
  const log = await requireGit(["log", "--walk-reflogs", "--format=%gs", ref, "--"], options);
  if (!log.split("\n").includes(madeMessage(nonce))) return;
  await requireGit(["update-ref", "-d", ref, base], { ...options, effect: "unknown" });
  await dropBranchConfig(options, branch);
}

/** Restores a branch that we deleted, with its configuration; false when another one has its name. */
export async function bringBackBranch(
  ctx: WorkspaceContext,
  of: { readonly workspace: Workspace; readonly commit: string; readonly config: BranchConfig },
): Promise<boolean> {
  const { repository, branch } = of.workspace;
  if (repository === null) return true;
  const options = { directory: repository, env: ctx.env };
  const ref = `refs/heads/${branch}`;
  const now = await commitOf(ref, options);
  if (now !== null && now !== of.commit) return false;
  await bringBackConfig(options, { branch, config: of.config });
  if (now !== null) return true;
  await requireGit(["update-ref", "--create-reflog", "-m", "tmpm: its workspace was restored", ref, of.commit, ""], {
    ...options,
    effect: "unknown",
  });
  return true;
}
