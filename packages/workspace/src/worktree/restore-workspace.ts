import { dirname } from "node:path";
import { TmpmError, type Workspace, type WorkspaceIdentity } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { exists } from "../files/exists.js";
import { registerAt, unlockWorktree } from "../git/git-registration.js";
import { attachHead } from "../git/head.js";
import { bringBackBranch } from "../git/own-branch.js";
import { refused } from "../refusal.js";
import { identityOf } from "./identity-of.js";
import { dropEntry, type Manifest, readManifest, type TrashPlace, trashPlace, writeManifest } from "./manifest.js";
import { ownership, ownershipAt } from "./ownership.js";
import { isWorkspacePath, makeFolders, placesIn } from "./places.js";
import { identified, isStill, moveExactly } from "./remove-workspace.js";

/** A restored workspace; `notes` are its differences from before. */
export interface Restored {
  readonly workspace: Workspace;
  readonly notes: readonly string[];
}

export interface RestoreOptions {
  readonly sessionId: string;
  readonly trashId: string;
}

/**
 * Restores a removed workspace: its directory, its registration in the repository, its branch. May be called again after a crash.
 * @throws WORKSPACE_GONE when it is no longer in the trash, TARGET_EXISTS, WORKSPACE_REFUSED, GIT_FAILED
 */
export async function restoreWorkspace(ctx: WorkspaceContext, workspace: Workspace, options: RestoreOptions): Promise<Restored> {
  const place = await trashPlace(ctx, options.trashId);
  const manifest = await readManifest(place);
  if (manifest === null || manifest.phase === "purging") return alreadyBack(ctx, workspace, options);
  if (manifest.session_id !== options.sessionId) throw gone(workspace.path);
  const { path } = manifest.workspace;
  if (!(await isStill(path, manifest))) {
    const identity = await requireInTrash(ctx, { manifest, place });
    // First: an entry that is being restored is never purged.
    await requireFree(ctx, path);
    await writeManifest(place, { ...manifest, phase: "restoring" });
    await ctx.reached("workspace.restoring");
    await moveExactly(place.tree, { to: path, identity });
    await ctx.reached("workspace.returned");
  }
  const notes = await reconnect(ctx, manifest);
  await ctx.reached("workspace.attached");
  await dropEntry(place);
  const identity = { ...identified(manifest), ...(await identityOf(path)) };
  return { workspace: { ...manifest.workspace, identity, trashed: null }, notes };
}

/** The entry was dropped before a crash. */
async function alreadyBack(ctx: WorkspaceContext, workspace: Workspace, { sessionId }: RestoreOptions): Promise<Restored> {
  const owned = await ownership(ctx, { workspace, sessionId });
  if (owned.kind !== "ours") throw gone(workspace.path);
  return { workspace: { ...workspace, identity: owned.identity, trashed: null }, notes: [] };
}

/** The directory in the trash. @throws WORKSPACE_GONE, WORKSPACE_REFUSED */
async function requireInTrash(
  ctx: WorkspaceContext,
  { manifest, place }: { manifest: Manifest; place: TrashPlace },
): Promise<WorkspaceIdentity> {
  const { workspace, session_id: sessionId } = manifest;
  const owned = await ownershipAt(ctx, { workspace, sessionId, at: place.tree });
  if (owned.kind === "missing") throw gone(workspace.path);
  if (owned.kind === "foreign") throw refused(place.tree, [owned.reason]);
  return owned.identity;
}

async function requireFree(ctx: WorkspaceContext, path: string): Promise<void> {
  const places = await placesIn(ctx.home);
  if (!isWorkspacePath(path, places)) throw gone(path);
  await makeFolders(places.root, dirname(path));
  if (await exists(path)) {
    throw new TmpmError("TARGET_EXISTS", `${JSON.stringify(path)} already exists`, {
      hint: "Move it aside, and undo again.",
      details: { path },
    });
  }
}

async function reconnect(ctx: WorkspaceContext, manifest: Manifest): Promise<readonly string[]> {
  const { workspace, head } = manifest;
  const { repository, path, branch } = workspace;
  if (repository === null) return [];
  await registerAt(identified(manifest).git_dir, path);
  await unlockWorktree(ctx, { repository, path });
  if (workspace.branch_made && head.branch === branch && head.commit !== null)
    await bringBackBranch(ctx, { workspace, commit: head.commit, config: manifest.branch_config });
  const note = await attachHead({ directory: path, env: ctx.env }, { ...head, root: (await placesIn(ctx.home)).root });
  return note === null ? [] : [note];
}

function gone(path: string): TmpmError {
  return new TmpmError("WORKSPACE_GONE", `the workspace ${JSON.stringify(path)} is no longer in the trash`, { details: { path } });
}
