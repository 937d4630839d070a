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
import { FOLDER_FAULTS, folderFault, isWorkspacePath, makeFolders, placesIn } from "./places.js";
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
  const found = await restorable(ctx, workspace, options);
  if (found.kind === "done") return { workspace: { ...workspace, identity: found.identity, trashed: null }, notes: [] };
  const { manifest, place } = found;
  const { path } = manifest.workspace;
  if (found.kind === "trashed") {
    await makeFolders((await placesIn(ctx.home)).root, dirname(path));
    // First: an entry that is being restored is never purged.
    await writeManifest(place, { ...manifest, phase: "restoring" });
    await ctx.reached("workspace.restoring");
    await moveExactly(place.tree, { to: path, identity: found.identity });
    await ctx.reached("workspace.returned");
  }
  const notes = await reconnect(ctx, manifest);
  await ctx.reached("workspace.attached");
  await dropEntry(place);
  const identity = { ...identified(manifest), ...(await identityOf(path)) };
  return { workspace: { ...manifest.workspace, identity, trashed: null }, notes };
}

/** Whether a restore would succeed as far as that can be known. Changes nothing. @throws like `restoreWorkspace` */
export async function requireRestorable(ctx: WorkspaceContext, workspace: Workspace, options: RestoreOptions): Promise<void> {
  await restorable(ctx, workspace, options);
}

/** `done`: its entry in the trash was dropped before a crash. `returned`: only its connection to the repository is missing. */
type Restorable =
  | { readonly kind: "done"; readonly identity: WorkspaceIdentity }
  | { readonly kind: "returned"; readonly manifest: Manifest; readonly place: TrashPlace }
  | { readonly kind: "trashed"; readonly manifest: Manifest; readonly place: TrashPlace; readonly identity: WorkspaceIdentity };

async function restorable(ctx: WorkspaceContext, workspace: Workspace, options: RestoreOptions): Promise<Restorable> {
  const { sessionId, trashId } = options;
  const place = await trashPlace(ctx, trashId);
  const manifest = await readManifest(place);
  if (manifest === null || manifest.phase === "purging") {
    const owned = await ownership(ctx, { workspace, sessionId });
    if (owned.kind !== "ours") throw gone(workspace.path);
    return { kind: "done", identity: owned.identity };
  }
  if (manifest.session_id !== sessionId) throw gone(workspace.path);
  if (await isStill(manifest.workspace.path, manifest)) return { kind: "returned", manifest, place };
  const identity = await requireInTrash(ctx, { manifest, place });
  await requireFree(ctx, manifest.workspace.path);
  return { kind: "trashed", manifest, place, identity };
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
  for (const folder of [places.root, dirname(path)]) {
    const fault = await folderFault(folder);
    if (fault === null || fault === "missing") continue;
    throw new TmpmError("UNSAFE_PATH", `${JSON.stringify(folder)} cannot be used: ${FOLDER_FAULTS[fault]}`, { details: { path: folder } });
  }
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
