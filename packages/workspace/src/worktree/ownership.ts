import { lstat, readdir, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { hasErrno, type Workspace, type WorkspaceIdentity } from "@tmpm/core";
import type { WorkspaceContext } from "../context.js";
import { readPrivate } from "../files/private-file.js";
import { requireGit } from "../git/require-git.js";
import { type Worktree, worktreesOf } from "../git/worktrees-of.js";
import { type Reason, unsafe } from "../refusal.js";
import { type Marker, readMarker } from "./marker.js";
import { FOLDER_FAULTS, folderFault, isWorkspacePath, type Places, placesIn } from "./places.js";

/**
 * Whether a directory is the one that we made: path, inode, marker and git's own registration must agree (reliability C20). Its device is
 * that of the folder above it: the recorded number may be another one after a reboot.
 */
export type Ownership =
  | { readonly kind: "ours"; readonly identity: WorkspaceIdentity; readonly marker: Marker; readonly worktrees: readonly Worktree[] }
  | { readonly kind: "missing" }
  | { readonly kind: "foreign"; readonly reason: Reason };

export interface Claim {
  readonly workspace: Workspace;
  readonly sessionId: string;
  /** The directory's path; the workspace's own by default. */
  readonly at?: string;
}

/** Each check requires those before it: a path through a symbolic link is not even opened. */
export async function ownership(ctx: WorkspaceContext, claim: Claim): Promise<Ownership> {
  const place = await placeFault(ctx, claim.workspace.path);
  if (place !== null) return place.code === "missing" ? { kind: "missing" } : foreign(place);
  return ownershipAt(ctx, { ...claim, at: claim.workspace.path });
}

/** Likewise for a directory at a path that is known to be ours, even after a move. */
export async function ownershipAt(ctx: WorkspaceContext, claim: Claim & { readonly at: string }): Promise<Ownership> {
  const directory = await directoryFault(claim.at, claim.workspace.identity);
  if (directory !== null) return directory.code === "missing" ? { kind: "missing" } : foreign(directory);
  const mounted = (await ctx.mountPoints()).find((point) => point === claim.at || point.startsWith(`${claim.at}/`));
  if (mounted !== undefined) return foreign(unsafe("mounted", `a file system is mounted at ${JSON.stringify(mounted)}`));
  return ownGit(ctx, claim);
}

function foreign(reason: Reason): Ownership {
  return { kind: "foreign", reason };
}

/** What is wrong with the path itself and the folders above it; null for a valid one. */
async function placeFault(ctx: WorkspaceContext, path: string): Promise<Reason | null> {
  const places = await placesIn(ctx.home);
  if (path.includes("\0") || !isWorkspacePath(path, places))
    return unsafe("bad_path", `${JSON.stringify(path)} is not a valid path for a workspace`);
  if ([await realPathOf(ctx.userHome), ctx.userHome, places.trash].some((kept) => kept === path || kept.startsWith(`${path}/`))) {
    return unsafe("protected", "the home folder is inside it");
  }
  return (await chainFault(places, path)) ?? (await spellingFault(path));
}

/** A home folder that does not exist is protected by its name only. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return path;
    throw error;
  }
}

async function chainFault({ root }: Places, path: string): Promise<Reason | null> {
  for (const folder of [root, dirname(path)]) {
    const fault = await folderFault(folder);
    if (fault === "missing") return unsafe("missing", "it is missing");
    if (fault !== null) return unsafe("bad_folder", `${JSON.stringify(folder)} is not as tmpm created it: ${FOLDER_FAULTS[fault]}`);
  }
  return null;
}

/** On a file system that ignores case, another spelling reaches the directory as well. */
async function spellingFault(path: string): Promise<Reason | null> {
  const names = await readdir(dirname(path));
  if (names.includes(path.slice(dirname(path).length + 1))) return null;
  return unsafe("missing", "it is missing");
}

async function directoryFault(path: string, identity: WorkspaceIdentity | null): Promise<Reason | null> {
  try {
    const found = await lstat(path, { bigint: true });
    if (!found.isDirectory())
      return unsafe("not_a_directory", found.isSymbolicLink() ? "a symbolic link is in its place" : "something else is in its place");
    if (found.uid !== BigInt(process.geteuid?.() ?? -1)) return unsafe("foreign_owner", "it belongs to another user");
    if (found.dev !== (await lstat(dirname(path), { bigint: true })).dev) return unsafe("mounted", "a file system is mounted at it");
    if (identity !== null && String(found.ino) !== identity.inode) {
      return unsafe("replaced", "another directory is in its place");
    }
    return (await realpath(path)) === path ? null : unsafe("bad_folder", "a symbolic link leads to it");
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return unsafe("missing", "it is missing");
    throw error;
  }
}

async function ownGit(ctx: WorkspaceContext, { workspace, sessionId, at }: Claim & { readonly at: string }): Promise<Ownership> {
  const gitDir = workspace.kind === "clone" ? await cloneGitDir(at) : await worktreeGitDir(at, workspace);
  if (typeof gitDir !== "string") return foreign(gitDir);
  if (workspace.identity !== null && workspace.kind === "worktree" && workspace.identity.git_dir !== gitDir) {
    return foreign(unsafe("git_folder", "it belongs to another work tree's git folder"));
  }
  const found = await readMarker(gitDir);
  if (found.kind === "none") return foreign(unsafe("marker", `its ownership marker is invalid: ${found.reason}`));
  const { marker } = found;
  const { device, inode } = await lstat(at, { bigint: true }).then(({ dev, ino }) => ({ device: String(dev), inode: String(ino) }));
  const agrees =
    marker.session_id === sessionId && marker.nonce === workspace.nonce && marker.path === workspace.path && marker.inode === inode;
  if (!agrees) return foreign(unsafe("marker", "its marker belongs to another workspace"));
  const identity = { git_dir: workspace.kind === "clone" ? join(workspace.path, ".git") : gitDir, device, inode };
  const options = { directory: at, env: ctx.env };
  const top = (await requireGit(["rev-parse", "--show-toplevel"], options)).replace(/\n$/, "");
  if (top !== at) return foreign(unsafe("git_folder", "git uses another directory as its work tree"));
  const worktrees = await worktreesOf(options);
  const own = worktrees.findIndex(({ path }) => path === at);
  if (workspace.kind === "clone" ? own !== 0 : own < 1) return foreign(unsafe("not_registered", "git does not list it where expected"));
  return { kind: "ours", identity, marker, worktrees };
}

async function cloneGitDir(at: string): Promise<string | Reason> {
  const fault = await folderFault(join(at, ".git"));
  if (fault === null || fault === "shared") return join(at, ".git");
  return unsafe("git_folder", `its git folder is not as tmpm created it: ${FOLDER_FAULTS[fault]}`);
}

/** The work tree names its git folder, which names the work tree. */
async function worktreeGitDir(at: string, { repository }: Workspace): Promise<string | Reason> {
  const pointer = await readPrivate(join(at, ".git"));
  if (pointer.kind !== "read")
    return unsafe(
      "git_folder",
      `its link to the repository is not as git created it: ${pointer.kind === "missing" ? "it is missing" : pointer.reason}`,
    );
  const target = /^gitdir: (.+)\n$/s.exec(pointer.text)?.[1];
  if (target === undefined) return unsafe("git_folder", "its link to the repository is malformed");
  // Git makes relative links on request (`worktree.useRelativePaths`).
  const gitDir = resolve(at, target);
  if (repository === null || dirname(gitDir) !== join(repository, "worktrees"))
    return unsafe("git_folder", "it belongs to another repository");
  const fault = await folderFault(gitDir);
  if (fault === "missing") return unsafe("not_registered", "its repository no longer lists it");
  if (fault !== null && fault !== "shared") return unsafe("git_folder", `its git folder is not as git created it: ${FOLDER_FAULTS[fault]}`);
  const back = await readPrivate(join(gitDir, "gitdir"));
  if (back.kind !== "read" || resolve(gitDir, back.text.replace(/\n$/, "")) !== join(at, ".git")) {
    return unsafe("not_registered", "its repository lists it at another path");
  }
  return gitDir;
}
