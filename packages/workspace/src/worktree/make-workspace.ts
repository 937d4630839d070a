import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { hasErrno, TmpmError, type Workspace, withEffect } from "@tmpm/core";
import { cloneInto } from "../clone/clone-into.js";
import type { WorkspaceContext } from "../context.js";
import { syncFolder, writePrivate } from "../files/private-file.js";
import { holderOf } from "../git/branch-holder.js";
import type { ChosenBranch } from "../git/choose-branch.js";
import { commitOf } from "../git/commit-of.js";
import type { GitOptions } from "../git/git.js";
import { forgetWorktree } from "../git/git-registration.js";
import { madeMessage } from "../git/own-branch.js";
import { withoutRepositoryFilters } from "../git/repository-filters.js";
import { requireGit } from "../git/require-git.js";
import { arrange } from "./arrange.js";
import { identityOf } from "./identity-of.js";
import { writeMarker } from "./marker.js";
import { isWorkspacePath, makeFolders, placesIn } from "./places.js";
import type { WorkspaceRequest } from "./plan-workspace.js";
import { reservationPath } from "./reservation.js";
import { takeBackWorkspace } from "./take-back-workspace.js";

/** Git's current progress: `Receiving objects`, with a percentage. */
export interface MakeProgress {
  readonly doing: string;
  readonly percent: number | null;
}

export interface MakeOptions {
  /** The plan's request. */
  readonly request: WorkspaceRequest;
  readonly onProgress?: (progress: MakeProgress) => void;
}

/**
 * Makes a planned workspace and runs no program of the repository: no hook, no configured filter. A failure rolls back; a crash leaves what
 * `takeBack` recognises. @throws TARGET_EXISTS, GIT_FAILED, UNSAFE_PATH, PREREQUISITE_MISSING
 */
export async function makeWorkspace(ctx: WorkspaceContext, plan: Workspace, options: MakeOptions): Promise<Workspace> {
  const { sessionId } = options.request;
  await reserve(ctx, plan, sessionId);
  try {
    await ctx.reached("workspace.reserved");
    const { gitDir, known, ...chosen } = plan.kind === "worktree" ? await addWorktree(ctx, plan) : await cloneInto(ctx, plan, options);
    await ctx.reached("workspace.added");
    const { device, inode } = await identityOf(plan.path);
    await writeMarker(gitDir, {
      schema_version: 1,
      session_id: sessionId,
      nonce: plan.nonce,
      path: plan.path,
      device,
      inode,
      known: [...known],
    });
    await ctx.reached("workspace.marked");
    options.onProgress?.({ doing: "Writing files", percent: null });
    await fill(ctx, { path: plan.path, empty: chosen.base === null });
    await ctx.reached("workspace.filled");
    const workspace = { ...plan, ...chosen, identity: { git_dir: gitDir, device, inode } };
    const arranged = await arrange(ctx, workspace);
    await rm(reservationPath(plan.path), { force: true });
    return { ...workspace, ...arranged };
  } catch (error) {
    throw await takenBack(ctx, { plan, sessionId, error });
  }
}

async function reserve(ctx: WorkspaceContext, plan: Workspace, sessionId: string): Promise<void> {
  const places = await placesIn(ctx.home);
  if (!isWorkspacePath(plan.path, places))
    throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(plan.path)} is not a valid path for a workspace`);
  await makeFolders(places.root, dirname(plan.path));
  try {
    await mkdir(plan.path, { mode: 0o700 });
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) throw error;
    throw new TmpmError("TARGET_EXISTS", `${JSON.stringify(plan.path)} already exists`, { details: { path: plan.path } });
  }
  const { device, inode } = await identityOf(plan.path);
  await writePrivate(reservationPath(plan.path), `${JSON.stringify({ session_id: sessionId, nonce: plan.nonce, device, inode })}\n`);
  await syncFolder(dirname(plan.path));
}

/** A repository with its HEAD on the requested branch, and no file in the work tree yet. */
export interface EmptyCheckout extends ChosenBranch {
  readonly gitDir: string;
  readonly known: readonly string[];
}

async function addWorktree(ctx: WorkspaceContext, plan: Workspace): Promise<EmptyCheckout> {
  const { path, source, branch } = plan;
  if (plan.base === null) throw new TypeError("a worktree needs a commit");
  // From the requested directory, because git copies that work tree's sparse checkout.
  const options = { directory: source, env: ctx.env, effect: "unknown" } as const;
  let { base } = plan;
  if (plan.branch_made) base = await makeBranch(plan, { ...options, base });
  else await forgetDead(ctx, plan);
  const config = { "worktree.guessRemote": "false", "worktree.useRelativePaths": "false" };
  await requireGit(["worktree", "add", "--no-checkout", "--", path, branch], { ...options, config, timeoutMs: ctx.checkoutMs });
  const pointer = /^gitdir: (.+)\n$/s.exec(await readFile(join(path, ".git"), "utf8"))?.[1];
  if (pointer === undefined) throw new TmpmError("GIT_FAILED", "git did not create a work tree", { details: { source } });
  const { branch_made, base_ref, notes } = plan;
  return { gitDir: resolve(path, pointer), known: [], branch, branch_made, base, base_ref, notes };
}

/** Git rejects a branch that a registration holds, whether or not its work tree exists. */
async function forgetDead(ctx: WorkspaceContext, { repository, branch }: Workspace): Promise<void> {
  if (repository === null) return;
  const holder = await holderOf({ directory: repository, env: ctx.env }, { branch, root: (await placesIn(ctx.home)).root });
  if (holder?.dead) await forgetWorktree(ctx, { repository, path: holder.path });
}

/** Creates the branch separately and only if it does not exist, so that its owner is certain. Returns its commit. */
async function makeBranch({ nonce, branch, base_ref }: Workspace, options: GitOptions & { readonly base: string }): Promise<string> {
  const { base, ...git } = options;
  const ref = `refs/heads/${branch}`;
  await requireGit(["update-ref", "--create-reflog", "-m", madeMessage(nonce), ref, base, ""], { ...git, effect: "unknown" });
  if (!base_ref?.startsWith("refs/remotes/")) return base;
  // Only git knows the user's configuration for a branch that starts at a remote's: its upstream, and how it pulls.
  await requireGit(["branch", "--quiet", "--force", "--", branch, base_ref], { ...git, effect: "unknown" });
  return (await commitOf(ref, git)) ?? base;
}

async function fill(ctx: WorkspaceContext, { path, empty }: { readonly path: string; readonly empty: boolean }): Promise<void> {
  if (empty) return;
  const options = { directory: path, env: ctx.env };
  const config = await withoutRepositoryFilters(options);
  await requireGit(["reset", "--hard", "--quiet"], { ...options, config, timeoutMs: ctx.checkoutMs, effect: "unknown" });
}

/** The failure, with `effect: "none"` once everything is rolled back. */
async function takenBack(ctx: WorkspaceContext, failed: { plan: Workspace; sessionId: string; error: unknown }): Promise<unknown> {
  const { plan, sessionId, error } = failed;
  await takeBackWorkspace(ctx, plan, { sessionId });
  return withEffect(error, "none");
}
