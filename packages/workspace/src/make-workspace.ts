import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TmpmError, type Workspace } from "@tmpm/core";
import { cloneInto } from "./clone-into.js";
import type { WorkspaceContext } from "./context.js";
import { hasErrno } from "./errno.js";
import { identityOf } from "./identity-of.js";
import { writeMarker } from "./marker.js";
import { madeMessage } from "./own-branch.js";
import { isWorkspacePath, makeFolders, placesIn } from "./places.js";
import { syncFolder, writePrivate } from "./private-file.js";
import { withoutRepositoryFilters } from "./repository-filters.js";
import { requireGit } from "./require-git.js";
import { reservationPath } from "./reservation.js";
import { takeBackWorkspace } from "./take-back-workspace.js";

/** What is going on, as git says it: `Receiving objects`, and how much of that. */
export interface MakeProgress {
  readonly doing: string;
  readonly percent: number | null;
}

export interface MakeOptions {
  readonly sessionId: string;
  /** The source as it was asked for: a URL may be more than what the plan shows. */
  readonly from: string;
  readonly onProgress?: (progress: MakeProgress) => void;
}

/**
 * Makes a planned workspace and runs nothing of the repository's: no hook, no filter of its own configuration, no submodule. A failure takes back what was
 * made; a crash leaves what `takeBack` recognises. @throws TARGET_EXISTS, GIT_FAILED, UNSAFE_PATH, PREREQUISITE_MISSING
 */
export async function makeWorkspace(ctx: WorkspaceContext, plan: Workspace, options: MakeOptions): Promise<Workspace> {
  await reserve(ctx, plan, options.sessionId);
  try {
    await ctx.reached("workspace.reserved");
    const made = plan.kind === "worktree" ? await addWorktree(ctx, plan) : await cloneInto(ctx, plan, options);
    await ctx.reached("workspace.added");
    const { device, inode } = await identityOf(plan.path);
    await writeMarker(made.gitDir, {
      schema_version: 1,
      session_id: options.sessionId,
      nonce: plan.nonce,
      path: plan.path,
      device,
      inode,
      known: [...made.known],
    });
    await ctx.reached("workspace.marked");
    options.onProgress?.({ doing: "Writing files", percent: null });
    await fill(ctx, { path: plan.path, empty: made.base === null });
    await ctx.reached("workspace.filled");
    await rm(reservationPath(plan.path), { force: true });
    return { ...plan, base: made.base, branch_made: made.branchMade, identity: { git_dir: made.gitDir, device, inode } };
  } catch (error) {
    throw await takenBack(ctx, { plan, sessionId: options.sessionId, error });
  }
}

async function reserve(ctx: WorkspaceContext, plan: Workspace, sessionId: string): Promise<void> {
  const places = await placesIn(ctx.home);
  if (!isWorkspacePath(plan.path, places))
    throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(plan.path)} is no place for a workspace`);
  await makeFolders(places.root, dirname(plan.path));
  try {
    await mkdir(plan.path, { mode: 0o700 });
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) throw error;
    throw new TmpmError("TARGET_EXISTS", `${JSON.stringify(plan.path)} exists already`, { details: { path: plan.path } });
  }
  const { device, inode } = await identityOf(plan.path);
  await writePrivate(reservationPath(plan.path), `${JSON.stringify({ session_id: sessionId, nonce: plan.nonce, device, inode })}\n`);
  await syncFolder(dirname(plan.path));
}

/** A repository with its HEAD on the wanted branch, and no file in the work tree yet. */
export interface Added {
  readonly gitDir: string;
  readonly base: string | null;
  readonly branchMade: boolean;
  readonly known: readonly string[];
}

/** A branch of ours is created by itself and only if it is not there, so that it is certain whose it is. */
async function addWorktree(
  ctx: WorkspaceContext,
  { path, nonce, repository, source, branch, branch_made, base }: Workspace,
): Promise<Added> {
  if (repository === null || base === null) throw new TypeError("a worktree needs a repository and a commit");
  const options = { directory: repository, env: ctx.env, effect: "unknown" } as const;
  if (branch_made) {
    await requireGit(["update-ref", "--create-reflog", "-m", madeMessage(nonce), `refs/heads/${branch}`, base, ""], options);
  }
  const config = { "worktree.guessRemote": "false", "worktree.useRelativePaths": "false" };
  await requireGit(["worktree", "add", "--no-checkout", "--", path, branch], { ...options, config, timeoutMs: ctx.checkoutMs });
  const pointer = /^gitdir: (.+)\n$/s.exec(await readFile(join(path, ".git"), "utf8"))?.[1];
  if (pointer === undefined) throw new TmpmError("GIT_FAILED", "git made no work tree", { details: { source } });
  return { gitDir: pointer, base, branchMade: branch_made, known: [] };
}

async function fill(ctx: WorkspaceContext, { path, empty }: { readonly path: string; readonly empty: boolean }): Promise<void> {
  if (empty) return;
  const options = { directory: path, env: ctx.env };
  const config = await withoutRepositoryFilters(options);
  await requireGit(["reset", "--hard", "--quiet"], { ...options, config, timeoutMs: ctx.checkoutMs, effect: "unknown" });
}

/** The failure, with `effect: "none"` once everything is taken back. */
async function takenBack(ctx: WorkspaceContext, failed: { plan: Workspace; sessionId: string; error: unknown }): Promise<unknown> {
  const { plan, sessionId, error } = failed;
  await takeBackWorkspace(ctx, plan, { sessionId });
  if (!(error instanceof TmpmError)) return error;
  const { code, message, hint, details } = error;
  return new TmpmError(code, message, { effect: "none", details, cause: error, ...(hint === null ? {} : { hint }) });
}
