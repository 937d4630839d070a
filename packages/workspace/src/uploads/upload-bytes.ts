import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, readdir, rm, stat } from "node:fs/promises";
import { hasErrno, TmpmError } from "@tmpm/core";
import type { HeldFolder } from "./held-folder.js";

export interface WrittenBytes {
  /** The name of the temporary file. */
  readonly temporary: string;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  readonly size: number;
}

const PREFIX = ".tmp-";
/** The maximum age of an upload in progress: an older file was left by a crash. */
const STALE_MS = 3_600_000;

/** Streams bytes to a temporary file and syncs it; a failure removes it. @throws UPLOAD_TOO_LARGE, and the stream's errors */
export async function writeTemporary(
  folder: HeldFolder,
  { bytes, maxBytes }: { readonly bytes: AsyncIterable<Uint8Array>; readonly maxBytes: number },
): Promise<WrittenBytes> {
  const temporary = `${PREFIX}${process.pid}-${randomBytes(8).toString("hex")}`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(folder.at(temporary), flags, 0o600);
  const hash = createHash("sha256");
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
    return { temporary, digest: hash.digest("hex"), size };
  } catch (error) {
    await rm(folder.at(temporary), { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

export function tooLarge(limit: number): TmpmError {
  return new TmpmError("UPLOAD_TOO_LARGE", `the file has more than ${limit} bytes`, {
    hint: "Put it where the agent can read it, and give its path in the prompt.",
    details: { limit },
  });
}

/** Whether the file exists, has no other name and contains exactly these bytes. */
export async function holdsBytes(path: string, wanted: { readonly digest: string; readonly size: number }): Promise<boolean> {
  const file = await openFile(path);
  if (file === null) return false;
  try {
    if (!isPlain(await file.stat(), wanted.size)) return false;
    return (await digestOf(file, wanted.size)) === wanted.digest;
  } finally {
    await file.close();
  }
}

/** Likewise without reading it: only by size. */
export async function isFileOfSize(path: string, size: number): Promise<boolean> {
  const file = await openFile(path);
  if (file === null) return false;
  try {
    return isPlain(await file.stat(), size);
  } finally {
    await file.close();
  }
}

/** Removes leftovers of uploads interrupted by a crash. */
export async function removeStale(folder: HeldFolder, now: number): Promise<void> {
  const left = (await readdir(folder.at("."))).filter((name) => name.startsWith(PREFIX));
  for (const name of left) {
    const { mtimeMs } = await stat(folder.at(name)).catch(() => ({ mtimeMs: now }));
    if (now - mtimeMs > STALE_MS) await rm(folder.at(name), { force: true });
  }
}

/** Null for a file that cannot be ours: opening a pipe without O_NONBLOCK would wait for its writer. */
async function openFile(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ELOOP", "ENXIO", "EACCES")) return null;
    throw error;
  }
}

function isPlain(found: Awaited<ReturnType<FileHandle["stat"]>>, size: number): boolean {
  return found.isFile() && found.nlink === 1 && found.size === size;
}

/** Only this many bytes from the start: a file that grows meanwhile is not read indefinitely. */
async function digestOf(file: FileHandle, size: number): Promise<string> {
  const hash = createHash("sha256");
  if (size > 0) for await (const chunk of file.createReadStream({ start: 0, end: size - 1, autoClose: false })) hash.update(chunk);
  return hash.digest("hex");
}
