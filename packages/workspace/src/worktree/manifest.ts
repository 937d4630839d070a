import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasErrno, TmpmError, Workspace } from "@tmpm/core";
import * as z from "zod";
import type { WorkspaceContext } from "../context.js";
import { exists } from "../files/exists.js";
import { readPrivate, syncFolder, writePrivate } from "../files/private-file.js";
import { jsonOf } from "./marker.js";
import { FOLDER_FAULTS, folderFault, makeFolders, placesIn } from "./places.js";

/** The trash's record of one workspace: enough to restore it without any other record. `phase` is written before its action. */
export const Manifest = z.object({
  schema_version: z.literal(1),
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/),
  session_id: z.string(),
  phase: z.enum(["moving", "trashed", "restoring", "purging"]),
  /** Milliseconds since 1970. */
  at: z.number(),
  until: z.number(),
  workspace: Workspace,
  /** The state of HEAD: a branch, or a detached commit, or neither before the first commit. */
  head: z.object({ branch: z.string().nullable(), commit: z.string().nullable() }),
  /** The repository's configuration of the workspace's branch. */
  branch_config: z.array(z.tuple([z.string(), z.string()])).default([]),
});
export type Manifest = z.infer<typeof Manifest>;

/** One removed workspace in the trash. */
export interface TrashPlace {
  readonly folder: string;
  /** The workspace itself. */
  readonly tree: string;
}

/** @throws UNSAFE_PATH when the trash is not a private folder of ours */
export async function trashPlace(ctx: WorkspaceContext, id: string): Promise<TrashPlace> {
  if (!Manifest.shape.id.safeParse(id).success) throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(id)} is not in the trash`);
  const { trash } = await placesIn(ctx.home);
  const fault = await folderFault(trash);
  if (fault !== null && fault !== "missing") {
    throw new TmpmError("UNSAFE_PATH", `the trash ${JSON.stringify(trash)} cannot be used: ${FOLDER_FAULTS[fault]}`, {
      details: { path: trash },
    });
  }
  return { folder: join(trash, id), tree: join(trash, id, "tree") };
}

export async function writeManifest(place: TrashPlace, manifest: Manifest): Promise<void> {
  await makeFolders(dirname(place.folder), place.folder);
  await writePrivate(join(place.folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Null without a valid one. */
export async function readManifest(place: TrashPlace): Promise<Manifest | null> {
  if ((await folderFault(place.folder)) !== null) return null;
  const file = await readPrivate(join(place.folder, "manifest.json"));
  if (file.kind !== "read") return null;
  const parsed = Manifest.safeParse(jsonOf(file.text));
  return parsed.success && place.folder.endsWith(`/${parsed.data.id}`) ? parsed.data : null;
}

/** Completes an entry whose tree is gone. With a tree, whatever it is, the entry stays: only `removeTree` deletes work. */
export async function dropEntry(place: TrashPlace): Promise<void> {
  if (await exists(place.tree)) return;
  await rm(place.folder, { recursive: true, force: true });
  await syncFolder(dirname(place.folder));
}

export async function trashIds(ctx: WorkspaceContext): Promise<readonly string[]> {
  if (!(await exists(ctx.home))) return [];
  const { trash } = await placesIn(ctx.home);
  try {
    return (await readdir(trash)).filter((name) => Manifest.shape.id.safeParse(name).success);
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return [];
    throw error;
  }
}
