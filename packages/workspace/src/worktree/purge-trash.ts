import type { KeyedQueue } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { exists } from "../files/exists.js";
import { removeTree } from "../files/remove-tree.js";
import { dropKeptCommits } from "../finish/move-target.js";
import { forgetWorktree } from "../git/git-registration.js";
import { turnLedger } from "../review/turn-trees.js";
import { dropEntry, type Manifest, readManifest, type TrashPlace, trashIds, trashPlace, writeManifest } from "./manifest.js";

/** Ids of entries in the trash. */
export interface Purged {
  readonly purged: readonly string[];
  /** Expired, but not deleted: the next purge tries again. */
  readonly failed: readonly { readonly id: string; readonly error: unknown }[];
}

/** Permanently deletes expired entries of the trash. Anything but an entry of ours is left unchanged. */
export async function purgeTrash(ctx: WorkspaceContext, inTurn: KeyedQueue): Promise<Purged> {
  const purged: string[] = [];
  const failed: { id: string; error: unknown }[] = [];
  for (const id of await trashIds(ctx)) {
    try {
      if (await inTurn.run(id, () => purgeIfDue(ctx, id))) purged.push(id);
    } catch (error) {
      failed.push({ id, error });
    }
  }
  return { purged, failed };
}

async function purgeIfDue(ctx: WorkspaceContext, id: string): Promise<boolean> {
  const place = await trashPlace(ctx, id);
  const manifest = await readManifest(place);
  if (manifest === null) return false;
  const due = manifest.phase === "purging" || (manifest.phase === "trashed" && manifest.until <= ctx.now());
  return due && purgeEntry(ctx, { manifest, place });
}

/** Deletes one entry, regardless of its age; false for a tree with a mounted file system, which stays. */
export async function purgeEntry(ctx: WorkspaceContext, { manifest, place }: { manifest: Manifest; place: TrashPlace }): Promise<boolean> {
  const mounted = (await ctx.mountPoints()).some((point) => point === place.tree || point.startsWith(`${place.tree}/`));
  if (mounted) return false;
  await writeManifest(place, { ...manifest, phase: "purging" });
  await removeTree(place.tree);
  await ctx.reached("workspace.emptied");
  const { repository } = manifest.workspace;
  if (repository !== null && (await exists(repository))) {
    await forgetWorktree(ctx, { repository, path: place.tree });
    await dropKeptCommits(ctx, { repository, sessionId: manifest.session_id });
    await turnLedger(ctx).drop({ directory: repository, sessionId: manifest.session_id });
  }
  await dropEntry(place);
  return true;
}
