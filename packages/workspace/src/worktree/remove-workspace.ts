import { lstat, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasErrno, TmpmError, type Workspace, type WorkspaceIdentity } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { exists } from "../files/exists.js";
import { syncFolder } from "../files/private-file.js";
import { branchConfig } from "../git/branch-config.js";
import { isDead } from "../git/branch-holder.js";
import { gitDirOf } from "../git/git-dir-of.js";
import { forgetWorktree, linkAbsolutely, lockWorktree, registerAt, unlockWorktree } from "../git/git-registration.js";
import { attachHead, detachHead, headOf } from "../git/head.js";
import { type BranchOutcome, dropOwnBranch } from "../git/own-branch.js";
import { worktreesOf } from "../git/worktrees-of.js";
import { refused, unsafe } from "../refusal.js";
import { identityOf } from "./identity-of.js";
import { type InspectOptions, inspectWorkspace } from "./inspect-workspace.js";
import { dropEntry, type Manifest, readManifest, type TrashPlace, trashPlace, writeManifest } from "./manifest.js";
import { readMarker } from "./marker.js";
import { makeFolders, placesIn } from "./places.js";

export interface RemoveOptions extends InspectOptions {
  /** The entry's name in the trash, chosen by the caller beforehand. */
  readonly trashId: string;
  /** Moves unsaved work to the trash too. Overrides nothing else. */
  readonly discard: boolean;
  /** Called after all checks, before it is moved to the trash. */
  readonly leaving?: () => Promise<void>;
}

/** The result. `missing`: the directory was already gone. Times in ms since 1970. */
export type Removal =
  | { readonly kind: "missing" }
  | {
      readonly kind: "trashed";
      readonly id: string;
      readonly path: string;
      readonly at: number;
      readonly until: number;
      /** Of a worktree; the branches of a clone go with it. */
      readonly branch: BranchOutcome | null;
      /** Number of ignored files and folders moved along. */
      readonly ignored: number;
    };

/**
 * Moves a workspace to the trash, or leaves it exactly as it is. @throws WORKSPACE_REFUSED with every reason in `details.reasons`;
 * UNSAFE_PATH, GIT_FAILED
 */
export async function removeWorkspace(ctx: WorkspaceContext, workspace: Workspace, options: RemoveOptions): Promise<Removal> {
  const seen = await inspectWorkspace(ctx, workspace, options);
  if (seen.kind === "missing") return removeMissing(ctx, workspace);
  const standing = seen.reasons.filter(({ kind }) => kind !== "work" || !options.discard);
  if (seen.kind === "foreign" || standing.length > 0) throw refused(workspace.path, standing);
  const place = await trashPlace(ctx, options.trashId);
  await makeFolders(dirname(place.folder), place.folder);
  const owned = { ...workspace, identity: seen.owned.identity };
  await requireOneDevice(owned, place);
  await options.leaving?.();
  const at = ctx.now();
  const manifest: Manifest = {
    schema_version: 1,
    id: options.trashId,
    session_id: options.sessionId,
    phase: "moving",
    at,
    until: at + ctx.keepMs,
    workspace: owned,
    head: await headOf({ directory: workspace.path, env: ctx.env }),
    branch_config: (await branchConfig({ directory: workspace.path, env: ctx.env }, workspace.branch)).map(([key, value]) => [key, value]),
  };
  await writeManifest(place, manifest);
  await ctx.reached("workspace.listed");
  try {
    await letGo(ctx, manifest);
    await moveExactly(workspace.path, { to: place.tree, identity: owned.identity });
  } catch (error) {
    // Once it is in the trash, what failed is only the proof that a power loss keeps it there.
    if (!(await isInTrash({ manifest, place }))) {
      await standAgain(ctx, { manifest, place });
      throw error;
    }
  }
  await ctx.reached("workspace.moved");
  return settleTrashed(ctx, { manifest, place, ignored: seen.ignored });
}

/** For a directory removed by hand, git's registration is removed too. */
async function removeMissing(ctx: WorkspaceContext, { repository, path }: Workspace): Promise<Removal> {
  if (repository !== null && (await exists(repository))) {
    const registered = (await worktreesOf({ directory: repository, env: ctx.env })).find((worktree) => worktree.path === path);
    if (registered !== undefined && (await isDead(registered, (await placesIn(ctx.home)).root)))
      await forgetWorktree(ctx, { repository, path });
  }
  return { kind: "missing" };
}

/** Finishes or rolls back a removal interrupted by a crash: null when the workspace is as before. */
export async function finishRemoval(ctx: WorkspaceContext, trashId: string): Promise<Removal | null> {
  const place = await trashPlace(ctx, trashId);
  const manifest = await readManifest(place);
  if (manifest === null) return null;
  if (await isInTrash({ manifest, place })) return settleTrashed(ctx, { manifest, place, ignored: 0 });
  await standAgain(ctx, { manifest, place });
  return null;
}

/** Only this removal writes to the entry, so that the tree is also known by its place alone. */
async function isInTrash({ manifest, place }: { readonly manifest: Manifest; readonly place: TrashPlace }): Promise<boolean> {
  if (await isStill(place.tree, manifest)) return true;
  return (await exists(place.tree)) && !(await exists(manifest.workspace.path));
}

/** The repository keeps its data of the work tree, and the branch may be checked out elsewhere. */
async function letGo(ctx: WorkspaceContext, { workspace, head }: Manifest): Promise<void> {
  const { repository, path, identity } = workspace;
  if (repository === null) return;
  if (identity !== null) await linkAbsolutely(path, identity.git_dir);
  await lockWorktree(ctx, { repository, path });
  await detachHead({ directory: path, env: ctx.env }, head);
  await ctx.reached("workspace.detached");
}

async function standAgain(ctx: WorkspaceContext, { manifest, place }: { manifest: Manifest; place: TrashPlace }): Promise<void> {
  const { repository, path } = manifest.workspace;
  if (repository !== null && (await isStill(path, manifest))) {
    await attachHead({ directory: path, env: ctx.env }, { ...manifest.head, root: (await placesIn(ctx.home)).root });
    await unlockWorktree(ctx, { repository, path });
  }
  await dropEntry(place);
}

async function settleTrashed(ctx: WorkspaceContext, of: { manifest: Manifest; place: TrashPlace; ignored: number }): Promise<Removal> {
  const { manifest, place } = of;
  const { workspace } = manifest;
  if (workspace.kind === "worktree") await registerAt(identified(manifest).git_dir, place.tree);
  await ctx.reached("workspace.registered");
  const branch = await branchAfter(ctx, manifest);
  await writeManifest(place, { ...manifest, phase: "trashed" });
  await ctx.reached("workspace.trashed");
  return { kind: "trashed", id: manifest.id, path: place.tree, at: manifest.at, until: manifest.until, branch, ignored: of.ignored };
}

/** A branch other than HEAD's may be used by an operation in progress. */
async function branchAfter(ctx: WorkspaceContext, { workspace, head }: Manifest): Promise<BranchOutcome | null> {
  if (workspace.repository === null || head.branch === workspace.branch) return dropOwnBranch(ctx, workspace);
  return { kind: "kept", name: workspace.branch, why: "it was not checked out at the end" };
}

/** Renames exactly the checked directory, not one that replaced it meanwhile. */
export async function moveExactly(
  from: string,
  { to, identity }: { readonly to: string; readonly identity: WorkspaceIdentity },
): Promise<void> {
  await rename(from, to);
  if (await isThere(to, identity)) {
    await Promise.all([syncFolder(dirname(from)), syncFolder(dirname(to))]);
    return;
  }
  await rename(to, from);
  throw refused(from, [unsafe("replaced", "another directory replaced it meanwhile")]);
}

async function isThere(path: string, identity: WorkspaceIdentity): Promise<boolean> {
  const found = await identityAt(path);
  return found !== null && found.device === identity.device && found.inode === identity.inode;
}

/** Whether a directory is the one of a manifest, which may be older than a reboot: then the device can have another number. */
export async function isStill(path: string, manifest: Manifest): Promise<boolean> {
  const { workspace, session_id: sessionId } = manifest;
  const identity = identified(manifest);
  const found = await identityAt(path);
  if (found === null || found.inode !== identity.inode) return false;
  if (found.device === identity.device) return true;
  const gitDir = workspace.kind === "clone" ? join(path, ".git") : identity.git_dir;
  if ((await gitDirOf(path)) !== gitDir) return false;
  const read = await readMarker(gitDir);
  return read.kind === "found" && read.marker.nonce === workspace.nonce && read.marker.session_id === sessionId;
}

async function identityAt(path: string) {
  try {
    return await identityOf(path);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
}

export function identified({ workspace }: Manifest): WorkspaceIdentity {
  if (workspace.identity === null) throw new TmpmError("INTERNAL", "a workspace in the trash has no identity");
  return workspace.identity;
}

/** A directory that cannot be renamed would have to be copied, which can fail halfway. */
async function requireOneDevice(workspace: Workspace & { readonly identity: WorkspaceIdentity }, place: TrashPlace): Promise<void> {
  const { dev } = await lstat(place.folder, { bigint: true });
  if (String(dev) === workspace.identity.device) return;
  await dropEntry(place);
  throw refused(workspace.path, [unsafe("mounted", "the trash is on another file system")]);
}
