import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { hasErrno } from "@tmpm/core/errno";
import { TmpmError } from "@tmpm/core/errors";
import { currentUid } from "./current-location.js";

/** Nothing is followed, and a pipe in place of the file is not waited for. */
const SAFE = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The largest file of ours that is read at once, in bytes. */
const MOST_BYTES = 1024 * 1024;

/**
 * Opens a file that only tmpm writes: a regular file of the user's own, with one name. Anything else is refused, so that no text goes to another place and
 * nothing is believed that another process wrote. @throws UNSAFE_PATH with the fault in its details; what the system says about any other failure
 */
export function openOwnFile(path: string, flags: number): number {
  const fd = open(path, flags);
  const fault = faultOfFile(fstatSync(fd), currentUid());
  if (fault === null) return fd;
  closeSync(fd);
  throw unsafeFile(path, fault);
}

/** The text of such a file; null when there is none. @throws UNSAFE_PATH, also for one larger than `maxBytes`; what the system says */
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

/** Why something at the path of a file of ours is not one, in words; null when it is. */
export function faultOfFile(stats: Stats, uid: number): string | null {
  if (stats.isSymbolicLink()) return "is a symbolic link";
  if (stats.isDirectory()) return "is a folder";
  if (stats.isFIFO()) return "is a pipe";
  if (stats.isSocket()) return "is a socket";
  if (!stats.isFile()) return "is not a regular file";
  if (stats.uid !== uid) return `belongs to user ${stats.uid}`;
  return stats.nlink > 1 ? "has a second name (a hard link)" : null;
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

/** One byte more than the size is asked for, so that a file that grows meanwhile shows. */
function readAll(fd: number, { path, maxBytes }: { readonly path: string; readonly maxBytes: number }): string {
  const { size } = fstatSync(fd);
  if (size > maxBytes) throw unsafeFile(path, `is larger than ${maxBytes} bytes`);
  const buffer = Buffer.alloc(size + 1);
  let length = 0;
  for (let count = -1; count !== 0 && length < buffer.length; length += count)
    count = readSync(fd, buffer, length, buffer.length - length, length);
  return buffer.toString("utf8", 0, length);
}
