import { join } from "node:path";
import type { WorkspaceContext } from "../context.js";
import { readPrivate, writePrivate } from "../files/private-file.js";
import { requireGit } from "./require-git.js";
import { worktreesOf } from "./worktrees-of.js";

/**
 * Records the work tree's place in the repository. Git finds the work tree by this file, and prunes a missing one; `git worktree move`
 * would also write it, but rejects work trees with submodules.
 */
export async function registerAt(gitDir: string, path: string): Promise<void> {
  await writePrivate(join(gitDir, "gitdir"), `${join(path, ".git")}\n`);
}

/** Makes the work tree's link to its git folder absolute: a relative one would lead elsewhere after a move. */
export async function linkAbsolutely(workTree: string, gitDir: string): Promise<void> {
  const path = join(workTree, ".git");
  const pointer = await readPrivate(path);
  const link = `gitdir: ${gitDir}\n`;
  if (pointer.kind === "read" && pointer.text !== link) await writePrivate(path, link);
}

/** A locked work tree is not pruned while it is away. Idempotent. */
export async function lockWorktree(ctx: WorkspaceContext, { repository, path }: Registration): Promise<void> {
  if (await isLocked(ctx, { repository, path })) return;
  await requireGit(["worktree", "lock", "--reason", "in the trash of tmpm", "--", path], {
    directory: repository,
    env: ctx.env,
    effect: "unknown",
  });
}

export async function unlockWorktree(ctx: WorkspaceContext, { repository, path }: Registration): Promise<void> {
  if (!(await isLocked(ctx, { repository, path }))) return;
  await requireGit(["worktree", "unlock", "--", path], { directory: repository, env: ctx.env, effect: "unknown" });
}

/** Drops a work tree whose directory is gone; its branch stays. Idempotent. */
export async function forgetWorktree(ctx: WorkspaceContext, { repository, path }: Registration): Promise<void> {
  const options = { directory: repository, env: ctx.env };
  if (!(await worktreesOf(options)).some((worktree) => worktree.path === path)) return;
  await requireGit(["worktree", "remove", "--force", "--force", "--", path], { ...options, effect: "unknown" });
}

interface Registration {
  readonly repository: string;
  readonly path: string;
}

async function isLocked(ctx: WorkspaceContext, { repository, path }: Registration): Promise<boolean> {
  const worktrees = await worktreesOf({ directory: repository, env: ctx.env });
  return worktrees.some((worktree) => worktree.path === path && worktree.locked !== null);
}
