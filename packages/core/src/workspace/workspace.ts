import * as z from "zod";
import { keepUnknown } from "../keep-unknown.js";
import { Timestamp } from "../time/timestamp.js";

/**
 * The identity of a directory that we made, to distinguish it from another at the same path. Device and inode are decimal: they exceed a
 * number's exact range.
 */
export const WorkspaceIdentity = keepUnknown({
  /** Git's own folder for this work tree, absolute. */
  git_dir: z.string(),
  device: z.string().regex(/^\d+$/),
  inode: z.string().regex(/^\d+$/),
});
export type WorkspaceIdentity = z.infer<typeof WorkspaceIdentity>;

/** The trash folder of a removed workspace, until it is purged. */
export const TrashedWorkspace = keepUnknown({ id: z.string(), at: Timestamp, until: Timestamp });
export type TrashedWorkspace = z.infer<typeof TrashedWorkspace>;

/** A directory that we made and own. `path` is its location, even while it is in the trash. */
export const Workspace = keepUnknown({
  kind: z.enum(["worktree", "clone"]),
  path: z.string(),
  /** Also written into the marker inside. */
  nonce: z.string(),
  /** The directory, or the URL without credentials, that it was made from. */
  source: z.string(),
  /** The git folder of the repository that a worktree belongs to; null for a clone, which is its own. */
  repository: z.string().nullable(),
  branch: z.string(),
  /** The branch did not exist before. */
  branch_made: z.boolean(),
  /** The commit it started from; null in a repository without commits, and before a clone exists. */
  base: z.string().nullable(),
  /** The full ref that its commit was resolved from, such as `refs/remotes/origin/main`; null for a bare commit. */
  base_ref: z.string().nullable().default(null),
  /** The folder in it that matches the requested directory, relative; empty for its top. */
  folder: z.string().default(""),
  /** Differences from the user's expectations, such as uncommitted changes that stayed behind. */
  notes: z.array(z.string()).default([]),
  /** Null while it is being made. */
  identity: WorkspaceIdentity.nullable().default(null),
  trashed: TrashedWorkspace.nullable().default(null),
});
export type Workspace = z.infer<typeof Workspace>;
