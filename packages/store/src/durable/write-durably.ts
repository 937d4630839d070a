import { closeSync, constants, fsync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { DISK_FULL, hasErrno, TmpmError, temporaryName } from "@tmpm/core";
import { storeFailure } from "./store-failure.js";
import { uniqueToken } from "./unique-token.js";

/** The system calls of a write, in one place so that a test can record them or let one fail. Each throws like `node:fs`. */
export interface WriteCalls {
  /** Creates a new file with mode 0600. */
  create(path: string): number;
  /** Returns the number of bytes written, possibly fewer than given: a full disk shortens without an error. */
  write(fd: number, bytes: Uint8Array): number;
  /** Creates a folder with mode 0700. */
  mkdir(path: string): void;
  openFolder(path: string): number;
  fsync(fd: number): Promise<void>;
  close(fd: number): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
}

const fsyncAsync = promisify(fsync);

/** Only fsync runs off the thread: it alone waits for the disk. */
export const nodeWriteCalls: WriteCalls = {
  create: (path) => openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600),
  write: (fd, bytes) => writeSync(fd, bytes),
  mkdir: (path) => mkdirSync(path, { mode: 0o700 }),
  openFolder: (path) => openSync(path, constants.O_RDONLY | constants.O_DIRECTORY),
  fsync: (fd) => fsyncAsync(fd),
  close: closeSync,
  rename: renameSync,
  unlink: unlinkSync,
};

export interface WriteOptions {
  readonly calls: WriteCalls;
  readonly text: string;
  /** Called just before the file is replaced; false leaves everything unchanged. */
  readonly stillWanted?: () => boolean;
}

/**
 * Replaces or creates `path` so that a crash at any moment leaves the old file or the new one, and resolves once the new one is on the disk
 * (protocol W of reliability 3.1); false when no longer wanted. @throws with effect none when the old file is in place, unknown once it was
 * replaced
 */
export async function writeDurably(path: string, { stillWanted, ...prepare }: WriteOptions): Promise<boolean> {
  const prepared = await prepareDurably(path, prepare);
  return prepared.put(stillWanted);
}

/** A file whose new content is on the disk, and not yet in its place. */
export interface PreparedFile {
  /** As `writeDurably` from there on. */
  put(stillWanted?: () => boolean): Promise<boolean>;
  /** Idempotent; without an effect once it is in its place. */
  discard(): void;
}

/** The first part of `writeDurably`, for a caller that prepares several files at once. @throws with effect none */
export async function prepareDurably(path: string, { calls, text }: Omit<WriteOptions, "stillWanted">): Promise<PreparedFile> {
  const temporary = temporaryPath(path);
  let left = true;
  const discard = () => {
    if (left) discardFile(temporary, calls);
    left = false;
  };
  const failure = (error: unknown) => {
    const effect = left ? "none" : "unknown";
    discard();
    return storeFailure(error, { doing: "cannot write the record", path, effect });
  };
  try {
    await writeTemporary(temporary, { calls, text });
  } catch (error) {
    throw failure(error);
  }
  return {
    discard,
    async put(stillWanted) {
      try {
        if (stillWanted?.() === false) {
          calls.unlink(temporary);
          left = false;
          return false;
        }
        calls.rename(temporary, path);
        left = false;
        await syncFolder(dirname(path), calls);
        return true;
      } catch (error) {
        throw failure(error);
      }
    },
  };
}

/** Makes creations, renames and removals in a folder durable. */
export async function syncFolder(path: string, calls: WriteCalls): Promise<void> {
  const fd = calls.openFolder(path);
  try {
    await calls.fsync(fd);
  } finally {
    calls.close(fd);
  }
}

function temporaryPath(path: string): string {
  const stem = basename(path).replace(/\.json$/, "");
  return join(dirname(path), temporaryName(stem, { pid: process.pid, token: uniqueToken() }));
}

async function writeTemporary(path: string, { calls, text }: WriteOptions): Promise<void> {
  const fd = calls.create(path);
  try {
    writeAll(fd, { calls, bytes: Buffer.from(text, "utf8") });
    await calls.fsync(fd);
  } catch (error) {
    closeAfterFailure(fd, calls);
    throw error;
  }
  calls.close(fd);
}

/** Writes every byte, also in short writes. @throws STORAGE_FULL when nothing can be written */
export function writeAll(fd: number, { calls, bytes }: { calls: Pick<WriteCalls, "write">; bytes: Uint8Array }): void {
  for (let offset = 0; offset < bytes.length; ) {
    const count = calls.write(fd, bytes.subarray(offset));
    if (count === 0) throw new TmpmError("STORAGE_FULL", "the file system is full");
    offset += count;
  }
}

/** The first error is reported; one from close adds nothing. */
export function closeAfterFailure(fd: number, calls: Pick<WriteCalls, "close">): void {
  try {
    calls.close(fd);
  } catch (error) {
    if (!hasErrno(error, "EIO", "EINTR", "EBADF", ...DISK_FULL)) throw error;
  }
}

/** Best effort: no reader sees the temporary file, and the next start removes leftovers of a dead process. */
function discardFile(path: string, calls: WriteCalls): void {
  try {
    calls.unlink(path);
  } catch (error) {
    if (!hasErrno(error, "ENOENT", "EACCES", "EPERM", "EROFS", "EIO")) throw error;
  }
}
