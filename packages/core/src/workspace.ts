import * as z from "zod";
import { keepUnknown } from "./keep-unknown.js";
import { Timestamp } from "./timestamp.js";

/** What distinguishes the directory that we made from another at the same path. Device and inode are decimal: they exceed a number's exact range. */
export const WorkspaceIdentity = keepUnknown({
  /** Git's own folder for this work tree, absolute. */
  git_dir: z.string(),
  device: z.string().regex(/^\d+$/),
  inode: z.string().regex(/^\d+$/),
});
export type WorkspaceIdentity = z.infer<typeof WorkspaceIdentity>;

/** Where a removed workspace waits, until it is deleted for good. */
export const TrashedWorkspace = keepUnknown({ id: z.string(), at: Timestamp, until: Timestamp });
export type TrashedWorkspace = z.infer<typeof TrashedWorkspace>;

/** A directory that we made and own. `path` is where it belongs, also while it is in the trash. */
export const Workspace = keepUnknown({
  kind: z.enum(["worktree", "clone"]),
  path: z.string(),
  /** Written into the marker inside as well. */
  nonce: z.string(),
  /** The directory, or the URL without credentials, that it was made from. */
  source: z.string(),
  /** The git folder of the repository that a worktree belongs to; null for a clone, which is its own. */
  repository: z.string().nullable(),
  branch: z.string(),
  /** The branch did not exist before. */
  branch_made: z.boolean(),
  /** The commit it started from; null in a repository without commits, and before a clone is there. */
  base: z.string().nullable(),
  /** What that commit was named by when the branch was chosen: a full ref such as `refs/remotes/origin/main`, or null for a bare commit. */
  base_ref: z.string().nullable().default(null),
  /** The folder in it that matches where it was asked for, relative; empty for its top. */
  folder: z.string().default(""),
  /** How it differs from what its user may expect, such as uncommitted changes that stayed behind. */
  notes: z.array(z.string()).default([]),
  /** Null while it is being made. */
  identity: WorkspaceIdentity.nullable().default(null),
  trashed: TrashedWorkspace.nullable().default(null),
});
export type Workspace = z.infer<typeof Workspace>;
