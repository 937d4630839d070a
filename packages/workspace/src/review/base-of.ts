import { type ForkPoint, TmpmError } from "@tmpm/core";
import { commitOf, headCommit } from "../git/commit-of.js";
import type { GitOptions } from "../git/git.js";
import { type Head, headOf } from "../git/head.js";
import { askGit, requireGit } from "../git/require-git.js";
import { revisionOf } from "../git/revision.js";

/** The base of a session's changes. */
export interface ReviewBase {
  /** Null before the first commit: everything is new. */
  readonly commit: string | null;
  readonly ref: string | null;
  /**
   * `fork_point` as recorded; `merge_base` after the work was moved to a newer commit of its ref; `asked` when the caller named it; `head`
   * when nothing was recorded; `turn` for the state at the start of a turn.
   */
  readonly found: "fork_point" | "merge_base" | "asked" | "head" | "turn";
}

export interface BaseQuestion {
  readonly fork: ForkPoint | null;
  /** A revision named by the caller; null for the fork point. */
  readonly asked: string | null;
  /** When it is known. */
  readonly head?: Head;
}

/** @throws INVALID_ARGUMENT unless the revision is a commit, WORKSPACE_REFUSED when the fork point is missing from the repository */
export async function baseOf(git: GitOptions, of: BaseQuestion): Promise<ReviewBase> {
  const { fork, asked } = of;
  if (asked !== null) return askedBase(git, asked);
  if (fork === null) return { commit: of.head === undefined ? await headCommit(git) : of.head.commit, ref: null, found: "head" };
  if (fork.commit === null) return { commit: null, ref: fork.ref, found: "fork_point" };
  await requireThere(git, fork.commit);
  const moved = await movedTo(git, { commit: fork.commit, ref: fork.ref, head: of.head ?? (await headOf(git)) });
  return moved === null
    ? { commit: fork.commit, ref: fork.ref, found: "fork_point" }
    : { commit: moved, ref: fork.ref, found: "merge_base" };
}

async function askedBase(git: GitOptions, asked: string): Promise<ReviewBase> {
  const found = await revisionOf(asked, git);
  if (found !== null) return { ...found, found: "asked" };
  throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(asked)} is not a commit of this repository`, { details: { field: "base" } });
}

async function requireThere(git: GitOptions, commit: string): Promise<void> {
  if (await askGit(["cat-file", "-e", `${commit}^{commit}`], { ...git, no: [1, 128] })) return;
  throw new TmpmError("GIT_FAILED", `the commit ${commit.slice(0, 12)} from which the session started is missing from the repository`, {
    hint: "Name another one with --base, such as --base main.",
    details: { commit },
  });
}

/** A newer commit of the ref that the work contains, after a rebase or a merge; null when it is still at its start. */
async function movedTo(
  git: GitOptions,
  fork: { readonly commit: string; readonly ref: string | null; readonly head: Head },
): Promise<string | null> {
  const { branch, commit: head } = fork.head;
  if (fork.ref === null || head === null || fork.ref === `refs/heads/${branch}`) return null;
  const tip = await commitOf(fork.ref, git);
  if (tip === null) return null;
  const common = (await requireGit(["merge-base", head, tip], { ...git, accept: [0, 1] })).trim().split("\n")[0] ?? "";
  if (common === "" || common === fork.commit) return null;
  return (await askGit(["merge-base", "--is-ancestor", fork.commit, common], git)) ? common : null;
}
