import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { hasErrno } from "@tmpm/core/errno";
import { TmpmError } from "@tmpm/core/errors";
import { currentUid } from "./current-location.js";

/** Links are not followed, and opening a pipe in place of the file does not block. */
const SAFE = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Maximum size of a file that is read as a whole, in bytes. */
const MOST_BYTES = 1024 * 1024;

/**
 * Opens a file that only tmpm writes: a regular file of the user, without hard links. Anything else is refused, so that tmpm neither writes to another
 * place nor trusts another process's data. @throws UNSAFE_PATH with the fault in its details; the system's error for any other failure
 */
export function openOwnFile(path: string, flags: number): number {
  const fd = open(path, flags);
  const fault = faultOfFile(fstatSync(fd), currentUid());
  if (fault === null) return fd;
  closeSync(fd);
  throw unsafeFile(path, fault);
}

/** The text of such a file; null if it does not exist. @throws UNSAFE_PATH, also for one larger than `maxBytes`; the system's error */
export function readOwnFile(path: string, { maxBytes = MOST_BYTES }: { readonly maxBytes?: number } = {}): string | null {
  try {
    const fd = openOwnFile(path, constants.O_RDONLY);
    try {
      return readAll(fd, { path, maxBytes });
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
}

/** Why the entry at the path of a tmpm file is not such a file, as text; null if it is. */
export function faultOfFile(stats: Stats, uid: number): string | null {
  if (stats.isSymbolicLink()) return "is a symbolic link";
  if (stats.isDirectory()) return "is a folder";
  if (stats.isFIFO()) return "is a pipe";
  if (stats.isSocket()) return "is a socket";
  if (!stats.isFile()) return "is not a regular file";
  if (stats.uid !== uid) return `belongs to user ${stats.uid}`;
  return stats.nlink > 1 ? "has another hard link" : null;
}

export function unsafeFile(path: string, fault: string): TmpmError {
  return new TmpmError("UNSAFE_PATH", `${path} ${fault}`, {
    hint: "Move it aside: tmpm creates a new file in its place.",
    details: { path, fault },
  });
}

function open(path: string, flags: number): number {
  try {
    return openSync(path, flags | SAFE, 0o600);
  } catch (error) {
    const fault = hasErrno(error, "ELOOP")
      ? "is a symbolic link"
      : hasErrno(error, "EISDIR")
        ? "is a folder"
        : hasErrno(error, "ENXIO")
          ? "is a pipe or a socket"
          : null;
    throw fault === null ? error : unsafeFile(path, fault);
  }
}

/** Reads one byte more than the size, to detect a file that grows meanwhile. */
function readAll(fd: number, { path, maxBytes }: { readonly path: string; readonly maxBytes: number }): string {
  const { size } = fstatSync(fd);
  if (size > maxBytes) throw unsafeFile(path, `is larger than ${maxBytes} bytes`);
  const buffer = Buffer.alloc(size + 1);
  let length = 0;
  for (let count = -1; count !== 0 && length < buffer.length; length += count)
    count = readSync(fd, buffer, length, buffer.length - length, length);
  return buffer.toString("utf8", 0, length);
}
