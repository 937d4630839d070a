import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasErrno } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { exists } from "../files/exists.js";
import { isDead } from "../git/branch-holder.js";
import { type GitOptions, git as runGit, type Scratch } from "../git/git.js";
import { gitDirOf } from "../git/git-dir-of.js";
import { requireGit } from "../git/require-git.js";
import { inProgress } from "../git/work-in.js";
import { worktreesOf } from "../git/worktrees-of.js";
import { withScratchIndex } from "../review/scratch-index.js";
import { placesIn } from "../worktree/places.js";
import { type Block, MOST_ITEMS } from "./finish-plan.js";
import { inTheWay } from "./in-the-way.js";
import { type MainTree, mainTreeOf } from "./main-tree.js";

/** Maximum number of paths in a message. */
const MOST_NAMED = 5;

/** The checkout of a branch, and the work tree with an operation in progress on it. */
export interface TargetUse {
  readonly checkout: string | null;
  readonly block: Block | null;
}

/** A rebase or bisect detaches HEAD, and restores the branch at its end, so it must not move meanwhile. */
export async function useOf(
  ctx: WorkspaceContext,
  git: GitOptions,
  { branch, startedIn }: { readonly branch: string; readonly startedIn: string | null },
): Promise<TargetUse> {
  const { root } = await placesIn(ctx.home);
  let checkout: string | null = null;
  for (const [index, worktree] of (await worktreesOf(git)).entries()) {
    const place: MainTree = index > 0 ? { kind: "at", path: worktree.path } : await mainTreeOf(git, { listed: worktree.path, startedIn });
    if (place.kind === "bare") continue;
    const here = place.kind === "unknown" ? place.gitDir : place.path;
    if (place.kind === "at" && !(await exists(here))) {
      if (worktree.branch !== branch || (index > 0 && (await isDead(worktree, root)))) continue;
      const message = `${branch} is checked out in ${JSON.stringify(here)}, which does not exist`;
      const hint = "Make that directory available, or run `git worktree prune` if it is gone for good.";
      return { checkout: here, block: { code: "checkout_unreachable", message, hint, items: [] } };
    }
    const folder = place.kind === "unknown" ? place.gitDir : await gitFolderOf({ ...git, directory: here });
    const operation = await operationIn(folder, branch);
    if (operation !== null) {
      const message = `${operation} of ${branch} is in progress in ${JSON.stringify(here)}`;
      return { checkout: here, block: { code: "target_busy", message, hint: "Finish it there or abort it, then try again.", items: [] } };
    }
    if (worktree.branch !== branch) continue;
    if (place.kind === "unknown") return { checkout: null, block: somewhere(branch, place) };
    checkout = here;
  }
  return { checkout, block: null };
}

function somewhere(branch: string, { gitDir, configured }: Extract<MainTree, { kind: "unknown" }>): Block {
  if (configured !== null) {
    const message = `${branch} is checked out in ${JSON.stringify(configured)}, from which git does not find its repository ${JSON.stringify(gitDir)}`;
    const hint = "Check out another branch there, correct `core.worktree` of that repository, or add a `.git` file there that names it.";
    return { code: "checkout_unreachable", message, hint, items: [] };
  }
  const message = `${branch} is checked out in the main work tree of ${JSON.stringify(gitDir)}, whose location git does not know`;
  const hint = "Check out another branch there, or set `core.worktree` of that repository to the directory.";
  return { code: "checkout_unreachable", message, hint, items: [] };
}

const HOLDING: Readonly<Record<string, string>> = {
  "rebase-merge/head-name": "a rebase",
  "rebase-apply/head-name": "a rebase or `git am`",
  BISECT_START: "a bisect",
};

async function operationIn(gitDir: string, branch: string): Promise<string | null> {
  for (const [file, what] of Object.entries(HOLDING)) {
    const held = (await textAt(join(gitDir, file))).trim().replace(/^refs\/heads\//, "");
    if (held === branch) return what;
  }
  return null;
}

/** Git is queried when its files do not show it. */
export async function gitFolderOf(git: GitOptions & { readonly directory: string }): Promise<string> {
  return (await gitDirOf(git.directory)) ?? (await requireGit(["rev-parse", "--absolute-git-dir"], git)).replace(/\n$/, "");
}

async function textAt(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR", "EISDIR")) return "";
    throw error;
  }
}

export interface Advance {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** The object folder of `to`, when not in the repository yet. */
  readonly objects?: Scratch["objects"];
}

/** Why a checkout cannot be updated with its branch; null when it can. Uses a separate index, so that the user's is not changed. */
export async function blockOf(git: GitOptions, { path, from, to, objects }: Advance): Promise<Block | null> {
  const inside = { ...git, directory: path };
  const busy = await inProgress(await gitFolderOf(inside));
  const [operation] = busy;
  if (operation !== undefined) {
    const message = `${operation.message} in ${JSON.stringify(path)}`;
    return { code: "target_busy", message, hint: "Finish it there or abort it, then try again.", items: [] };
  }
  const status = await requireGit(["status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames"], inside);
  const dirty = status.split("\0").flatMap((entry) => (entry.length < 4 ? [] : [entry.slice(3)]));
  if (dirty.length > 0) {
    const message = `${JSON.stringify(path)} has the target checked out with uncommitted changes`;
    const hint = `Commit or stash them there, or check out another branch, then try again.`;
    return { code: "checkout_dirty", message, hint, items: dirty.slice(0, MOST_ITEMS) };
  }
  return withScratchIndex({ ...inside, objects: objects ?? "repository" }, async (scratched) => {
    await requireGit(["update-index", "-q", "--refresh"], { ...scratched, accept: [0, 1] });
    const tried = await runGit(["read-tree", "-n", "-m", "-u", from, to], scratched);
    if (tried.kind !== "exited") return inTheWayBlock(path, { said: tried.reason, items: [] });
    if (tried.exitCode !== 0) return inTheWayBlock(path, { said: tried.stderr.trim().replace(/^error: /, ""), items: [] });
    const items = await inTheWay(scratched, { path, from, to });
    if (items.length === 0) return null;
    const named = items.slice(0, MOST_NAMED).map((item) => JSON.stringify(item));
    return inTheWayBlock(path, { said: `${named.join(", ")}${items.length > named.length ? ", …" : ""}`, items });
  });
}

function inTheWayBlock(path: string, { said, items }: { readonly said: string; readonly items: readonly string[] }): Block {
  const hint = "Move or commit those files there, then try again.";
  const message = `files in ${JSON.stringify(path)} are in the way: ${said}`;
  return { code: "checkout_in_the_way", message, hint, items: items.slice(0, MOST_ITEMS) };
}

/** Whether the index of a checkout is still that of a commit. */
export async function indexIs(git: GitOptions, { path, commit }: { readonly path: string; readonly commit: string }): Promise<boolean> {
  const result = await runGit(["diff-index", "--cached", "--quiet", commit, "--"], { ...git, directory: path });
  return result.kind === "exited" && result.exitCode === 0;
}
