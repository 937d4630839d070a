import { lstat, readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { hasErrno, TmpmError } from "@tmpm/core";
import type { GitOptions } from "./git.js";
import { type Worktree, worktreesOf } from "./worktrees-of.js";

/** The work tree that has a branch checked out. A dead one is certainly gone, and only git's registration of it is left. */
export interface BranchHolder {
  readonly path: string;
  readonly dead: boolean;
}

/** `root` is the folder of our workspaces. */
export async function holderOf(
  options: GitOptions,
  { branch, root }: { readonly branch: string; readonly root: string },
): Promise<BranchHolder | null> {
  const worktrees = await worktreesOf(options);
  const at = worktrees.findIndex((worktree) => worktree.branch === branch);
  const found = worktrees[at];
  if (found === undefined) return null;
  // The main one has no registration that could remain.
  return { path: found.path, dead: at > 0 && (await isDead(found, root)) };
}

/** A note about a work tree that is gone, and no longer holds its branch. @throws BRANCH_IN_USE */
export async function requireNotCheckedOut(
  options: GitOptions,
  wanted: { readonly branch: string; readonly root: string },
): Promise<readonly string[]> {
  const { branch } = wanted;
  const holder = await holderOf(options, wanted);
  if (holder === null) return [];
  const { path, dead } = holder;
  if (dead) return [`branch ${branch} was registered as checked out in ${path}, which does not exist; the registration was removed`];
  throw new TmpmError("BRANCH_IN_USE", `branch ${branch} is checked out in ${JSON.stringify(path)}`, {
    hint: "Name another branch, or omit it to get a new one. If that directory was deleted for good, run `git worktree prune`.",
    details: { branch, path },
  });
}

/** Where disks are mounted automatically, a missing directory may reappear. */
const REMOVABLE = /^\/(?:media|mnt|net|run\/media|Volumes|autofs)\//;

/** Whether a linked work tree was certainly removed. One that is locked, or may be on an unmounted disk, counts as alive. */
export async function isDead({ path, locked }: Worktree, root: string): Promise<boolean> {
  if (locked !== null || REMOVABLE.test(path) || (await entriesAt(path)) !== "missing") return false;
  for (let folder = dirname(path); folder !== "/"; folder = dirname(folder)) {
    const entries = await entriesAt(folder);
    // An empty folder may be a mount point, except for one that we made.
    if (entries !== "missing") return entries === "some" || (entries === "none" && folder.startsWith(`${root}/`));
  }
  return false;
}

async function entriesAt(path: string): Promise<"missing" | "none" | "some" | "unknown"> {
  try {
    if (!(await lstat(path)).isDirectory()) return "some";
    return (await readdir(path)).length > 0 ? "some" : "none";
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return "missing";
    if (hasErrno(error, "EACCES", "EPERM", "EIO", "ESTALE", "ENOTCONN", "ETIMEDOUT", "ELOOP")) return "unknown";
    throw error;
  }
}
