import type { BigIntStats } from "node:fs";
import { lstat, rmdir, unlink } from "node:fs/promises";
import { hasErrno } from "@tmpm/core";
import type { GitOptions } from "../git/git.js";
import { requireGit } from "../git/require-git.js";
import type { ByteText } from "../review/byte-text.js";
import { parseEntries } from "../review/changed-entries.js";

/** A path that differs between two commits. Modes are octal; null where it does not exist. */
export interface ChangedPath {
  readonly path: ByteText;
  readonly oldMode: string | null;
  readonly newMode: string | null;
  readonly newId: string | null;
}

export async function changedPaths(
  git: GitOptions,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly ChangedPath[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", from, to];
  return parseEntries(await requireGit(args, { ...git, encoding: "latin1" }));
}

/** What distinguishes a written file from the one before it; null for a missing one. */
export type Stamp = string | null;

/** The work tree at the changed paths, and the folders above them that exist. */
export interface WorkTreeStamps {
  readonly stamps: ReadonlyMap<ByteText, Stamp>;
  readonly folders: ReadonlySet<ByteText>;
}

export async function see(top: string, changes: readonly ChangedPath[]): Promise<WorkTreeStamps> {
  const stamps = await stampsOf(
    top,
    changes.map(({ path }) => path),
  );
  const above = [...new Set(changes.flatMap(({ path }) => foldersAbove(path)))];
  const folders = await Promise.all(above.map(async (folder) => ((await isFolder(below(top, folder))) ? [folder] : [])));
  return { stamps, folders: new Set(folders.flat()) };
}

export async function stampsOf(top: string, paths: readonly ByteText[]): Promise<ReadonlyMap<ByteText, Stamp>> {
  return new Map(await Promise.all(paths.map(async (path) => [path, await stampOf(below(top, path))] as const)));
}

async function stampOf(path: Buffer): Promise<Stamp> {
  const found = await lookAt(path);
  if (found === null) return null;
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = found;
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(":");
}

async function isFolder(path: Buffer): Promise<boolean> {
  return (await lookAt(path))?.isDirectory() ?? false;
}

/** Null for a missing one. */
export async function lookAt(path: Buffer): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
}

/** The innermost first. */
export function foldersAbove(path: ByteText): readonly ByteText[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join("/"));
}

export function below(top: string, path: ByteText): Buffer {
  return Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, "latin1")]);
}

/** Removes files, links and empty folders, and the folders above them that are empty then, except for those of `kept`. */
export async function removePaths(
  top: string,
  { paths, kept }: { readonly paths: readonly ByteText[]; readonly kept: ReadonlySet<ByteText> },
): Promise<void> {
  for (const path of paths) await removeOne(below(top, path));
  const above = new Set(paths.flatMap(foldersAbove).filter((folder) => !kept.has(folder)));
  for (const folder of [...above].sort((a, b) => b.length - a.length)) await removeFolder(below(top, folder));
}

async function removeOne(path: Buffer): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (hasErrno(error, "EISDIR", "EPERM")) await removeFolder(path);
    else if (!hasErrno(error, "ENOENT", "ENOTDIR", "EACCES", "EROFS")) throw error;
  }
}

async function removeFolder(path: Buffer): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (!hasErrno(error, "ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST", "EACCES", "EPERM", "EROFS", "EBUSY")) throw error;
  }
}
