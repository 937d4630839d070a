import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Workspace } from "@tmpm/core";
import * as z from "zod";
import type { WorkspaceContext } from "../context.js";
import { exists } from "../files/exists.js";
import { readPrivate } from "../files/private-file.js";
import { removeTree } from "../files/remove-tree.js";
import { forgetWorktree } from "../git/git-registration.js";
import { takeBackBranch } from "../git/own-branch.js";
import { refused, unsafe } from "../refusal.js";
import { identityOf } from "./identity-of.js";
import { readManifest, trashPlace } from "./manifest.js";
import { jsonOf } from "./marker.js";
import { ownership } from "./ownership.js";
import { FOLDER_FAULTS, folderFault, isWorkspacePath, placesIn } from "./places.js";
import { purgeEntry } from "./purge-trash.js";
import { removeWorkspace } from "./remove-workspace.js";
import { reservationPath } from "./reservation.js";

export interface TakeBackOptions {
  readonly sessionId: string;
}

/**
 * Removes an unused workspace completely: one that a failure or a crash left unfinished, or one whose session was never launched.
 * Idempotent. @throws WORKSPACE_REFUSED for any other directory
 */
export async function takeBackWorkspace(ctx: WorkspaceContext, workspace: Workspace, options: TakeBackOptions): Promise<void> {
  const { path } = workspace;
  await requirePlace(ctx, path);
  if (await isUnfinished(workspace)) await removeUnfinished(workspace);
  else if (await exists(path)) await removeFinished(ctx, workspace, options);
  await removeTree(asidePath(workspace));
  if (workspace.repository !== null && (await exists(workspace.repository))) {
    await forgetWorktree(ctx, { repository: workspace.repository, path });
    await takeBackBranch(ctx, workspace);
  }
  await rm(reservationPath(path), { force: true });
}

async function requirePlace(ctx: WorkspaceContext, path: string): Promise<void> {
  const places = await placesIn(ctx.home);
  if (!isWorkspacePath(path, places)) throw refused(path, [unsafe("bad_path", "it is not a valid path for a workspace")]);
  for (const folder of [places.root, dirname(path)]) {
    const fault = await folderFault(folder);
    if (fault === "missing") return;
    if (fault !== null)
      throw refused(path, [unsafe("bad_folder", `${JSON.stringify(folder)} is not as tmpm created it: ${FOLDER_FAULTS[fault]}`)]);
  }
}

const Reservation = z.object({ nonce: z.string(), inode: z.string() });

/** The reservation exists until the last file is written, and names the directory: not by its device, whose number a reboot may change. */
export async function isUnfinished({ path, nonce }: Pick<Workspace, "path" | "nonce">): Promise<boolean> {
  const file = await readPrivate(reservationPath(path));
  if (file.kind !== "read" || !(await exists(path))) return false;
  const reservation = Reservation.safeParse(jsonOf(file.text));
  if (!reservation.success || reservation.data.nonce !== nonce) return false;
  return (await identityOf(path)).inode === reservation.data.inode;
}

/** Moved aside first, so that a partly deleted directory is never taken for a workspace. */
async function removeUnfinished(workspace: Workspace): Promise<void> {
  await rename(workspace.path, asidePath(workspace));
}

function asidePath({ path, nonce }: Workspace): string {
  return join(dirname(path), `.${basename(path)}.${nonce}.gone`);
}

/** A finished one is removed as usual; an empty folder was made just before the crash. */
async function removeFinished(ctx: WorkspaceContext, workspace: Workspace, { sessionId }: TakeBackOptions): Promise<void> {
  const owned = await ownership(ctx, { workspace, sessionId });
  if (owned.kind === "missing") return;
  if (owned.kind === "foreign") {
    if (owned.reason.code === "git_folder" && (await readdir(workspace.path)).length === 0) return rmdir(workspace.path);
    throw refused(workspace.path, [owned.reason]);
  }
  const trashId = `unused-${workspace.nonce}`;
  await removeWorkspace(ctx, workspace, { sessionId, others: [], trashId, discard: false });
  const place = await trashPlace(ctx, trashId);
  const manifest = await readManifest(place);
  if (manifest !== null) await purgeEntry(ctx, { manifest, place });
}
