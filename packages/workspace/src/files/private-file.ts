import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hasErrno, temporaryName } from "@tmpm/core";

/** Replaces or creates a file of ours, mode 0600: a crash leaves the old or the new content, and an acknowledged write is on the disk. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), temporaryName(basename(path), { pid: process.pid, token: randomBytes(8).toString("hex") }));
  try {
    const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
    await withFile(file, async () => {
      await file.writeFile(text);
      await file.sync();
    });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes creations, renames and removals in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  await withFile(folder, () => folder.sync());
}

const MAX_BYTES = 1024 * 1024;

/**
 * The content of a file of ours. `foreign` is why the file was not written by us: links, pipes and files with several names are never
 * trusted.
 */
export type PrivateFile =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "foreign"; readonly reason: string };

export async function readPrivate(path: string): Promise<PrivateFile> {
  try {
    // Without O_NONBLOCK, opening a pipe waits for its writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return await withFile(file, () => readChecked(file));
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return { kind: "missing" };
    if (hasErrno(error, "ELOOP")) return { kind: "foreign", reason: "it is a symbolic link" };
    if (hasErrno(error, "EACCES", "ENXIO")) return { kind: "foreign", reason: "it cannot be opened" };
    throw error;
  }
}

async function readChecked(file: FileHandle): Promise<PrivateFile> {
  const found = await file.stat();
  if (!found.isFile()) return { kind: "foreign", reason: "it is not a file" };
  if (found.uid !== process.geteuid?.()) return { kind: "foreign", reason: "it belongs to another user" };
  if (found.nlink !== 1) return { kind: "foreign", reason: "it has another hard link" };
  if (found.size > MAX_BYTES) return { kind: "foreign", reason: "it is too large" };
  return { kind: "read", text: await file.readFile("utf8") };
}

async function withFile<T>(file: FileHandle, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } finally {
    await file.close();
  }
}
