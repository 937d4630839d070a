import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { hasErrno, TmpmError } from "@tmpm/core";

/** An open folder: on Linux, names are resolved in it, even if its path changes meanwhile. */
export interface HeldFolder {
  readonly handle: FileHandle;
  /** Absolute, for display. */
  readonly path: string;
  /** The path for opening a name in it. */
  at(name: string): string;
}

export interface FolderChain {
  /** Absolute; symbolic links are followed. */
  readonly base: string;
  /** Nested folders of ours, never links. */
  readonly names: readonly string[];
  /** Create missing folders. */
  readonly make: boolean;
}

/** Opens the last folder while it is used; null when missing. @throws DIRECTORY_NOT_FOUND, UNSAFE_PATH */
export async function inFolder<T>({ base, names, make }: FolderChain, use: (folder: HeldFolder) => Promise<T>): Promise<T | null> {
  const opened: HeldFolder[] = [];
  try {
    opened.push(held(await openBase(base), base));
    for (const name of names) {
      const next = await openNext(opened.at(-1), { name, make });
      if (next === null) return null;
      opened.push(next);
    }
    const last = opened.at(-1);
    return last === undefined ? null : await use(last);
  } finally {
    for (const { handle } of opened) await handle.close();
  }
}

function held(handle: FileHandle, path: string): HeldFolder {
  const from = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : path;
  return { handle, path, at: (name) => join(from, name) };
}

async function openBase(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (error) {
    if (!hasErrno(error, "ENOENT", "ENOTDIR")) throw error;
    throw new TmpmError("DIRECTORY_NOT_FOUND", `${JSON.stringify(path)} is not a directory`, { details: { path } });
  }
}

async function openNext(parent: HeldFolder | undefined, { name, make }: { name: string; make: boolean }): Promise<HeldFolder | null> {
  if (parent === undefined) return null;
  const path = join(parent.path, name);
  if (make) await makeFolder(parent, name);
  const handle = await openOwn(parent.at(name), path);
  return handle === null ? null : held(handle, path);
}

async function makeFolder(parent: HeldFolder, name: string): Promise<void> {
  try {
    await mkdir(parent.at(name), { mode: 0o700 });
    await parent.handle.sync();
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) throw error;
  }
}

async function openOwn(at: string, path: string): Promise<FileHandle | null> {
  const handle = await openUnfollowed(at, path);
  if (handle === null || (await handle.stat()).uid === process.geteuid?.()) return handle;
  await handle.close();
  throw unsafe(path, "belongs to another user");
}

async function openUnfollowed(at: string, path: string): Promise<FileHandle | null> {
  try {
    return await open(at, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    if (hasErrno(error, "ELOOP", "ENOTDIR")) throw unsafe(path, "is a link, or not a folder");
    throw error;
  }
}

function unsafe(path: string, why: string): TmpmError {
  return new TmpmError("UNSAFE_PATH", `${path} ${why}, so no file is kept there`, {
    hint: "Move it aside; tmpm creates the folder itself.",
    details: { path },
  });
}
