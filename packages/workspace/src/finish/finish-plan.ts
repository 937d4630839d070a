import type { Workspace } from "@tmpm/core";

/** How the work of a session reaches its target. */
export type MergeHow = "merge" | "squash" | "rebase";

export interface FinishRequest {
  readonly workspace: Workspace;
  readonly how: MergeHow;
  /** A local branch; null for the one that the work started from. */
  readonly into: string | null;
  /** The ref that the work started from, in full, or null. */
  readonly startedFrom: string | null;
  /** The message of a commit of uncommitted work; null to refuse any. */
  readonly commit: string | null;
  /** The message of a merge or squash commit. */
  readonly message: string;
}

export type BlockCode =
  | "uncommitted"
  | "in_progress"
  | "conflicts"
  | "merge_commits"
  | "not_fast_forward"
  | "target_busy"
  | "checkout_dirty"
  | "checkout_in_the_way"
  | "checkout_unreachable"
  | "no_branch"
  | "no_remote"
  | "no_forge"
  | "nothing_new";

/** Why a finish would be refused, and a hint. */
export interface Block {
  readonly code: BlockCode;
  readonly message: string;
  readonly hint: string;
  /** Affected paths, limited in number. */
  readonly items: readonly string[];
}

export interface Conflict {
  readonly path: string;
  /** Git's name of it, such as `contents` or `modify/delete`. */
  readonly kind: string;
  readonly message: string;
}

/** The plan of a finish, computed outside every checkout. */
export interface FinishPlan {
  readonly how: MergeHow;
  /** The local branch that receives the work. */
  readonly into: string;
  readonly old: string;
  readonly source: { readonly branch: string | null; readonly commit: string };
  /** `already`: the target contains the work. */
  readonly result: "fast_forward" | "merge_commit" | "squash_commit" | "rebased" | "already";
  /** Newest first; the first hundred. */
  readonly commits: readonly { readonly id: string; readonly subject: string }[];
  readonly commit_count: number;
  readonly total: { readonly files: number; readonly added: number; readonly removed: number };
  readonly uncommitted: readonly string[];
  readonly conflicts: readonly Conflict[];
  /** The work tree that has the target checked out, which is updated with it. */
  readonly checkout: string | null;
  readonly blocks: readonly Block[];
}

/** A target that moves from one commit to another, with its checkout. */
export interface TargetMove {
  /** A directory of the repository. */
  readonly repository: string;
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  readonly checkout: string | null;
  /** The directory that the workspace was made from; null when unknown. It shows where a main work tree is that git does not find. */
  readonly started_in: string | null;
}

export const MOST_ITEMS = 20;
