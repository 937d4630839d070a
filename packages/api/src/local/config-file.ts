import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DISK_FULL, hasErrno } from "@tmpm/core/errno";
import { TmpmError } from "@tmpm/core/errors";
import { temporaryName } from "@tmpm/core/temporary-name";

const MOST_BYTES = 1024 * 1024;

/**
 * The file's text; null if it does not exist. The file names programs to run, so it must belong to the user or root, and be writable for its owner only.
 * @throws UNSAFE_PATH, CONFIG_INVALID if it cannot be read
 */
export function readConfigFile(path: string): string | null {
  const fd = open(path);
  if (fd === null) return null;
  try {
    const stats = fstatSync(fd);
    const { uid, mode, size } = stats;
    if (!stats.isFile() && !stats.isDirectory()) throw unreadable(path, "is not a regular file");
    const own = process.geteuid?.() ?? uid;
    if (uid !== own && uid !== 0) throw unsafe(path, `belongs to user ${uid}`, "Make yourself its owner.");
    if ((mode & 0o022) !== 0)
      throw unsafe(path, `can be written by others (mode ${(mode & 0o7777).toString(8)})`, `Restrict it: chmod go-w ${path}`);
    if (size > MOST_BYTES) throw new TmpmError("CONFIG_INVALID", `${path} is larger than 1 MiB`, { details: { path } });
    return readFileSync(fd, "utf8");
  } catch (error) {
    if (hasErrno(error, "EISDIR")) throw unreadable(path, "is a directory", error);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/**
 * Writes the whole file atomically, with access for the user only, at the target of a symbolic link. `before` is the text that the change is based on:
 * if the file differs from it, nothing is written and the result is false. @throws STORE_READ_ONLY
 */
export function writeConfigFile(path: string, { text, before }: { readonly text: string; readonly before: string | null }): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const target = whereItLeads(path);
    const draft = join(dirname(target), temporaryName("config", { pid: process.pid, token: randomBytes(8).toString("hex") }));
    try {
      writeDurably(draft, text);
      if (readConfigFile(path) !== before) return false;
      renameSync(draft, target);
    } finally {
      rmSync(draft, { force: true });
    }
    syncFolder(dirname(target));
    return true;
  } catch (error) {
    if (!hasErrno(error, "EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST", ...DISK_FULL)) throw error;
    throw new TmpmError("STORE_READ_ONLY", `${path} cannot be written (${error.code})`, { details: { path }, cause: error });
  }
}

function open(path: string): number | null {
  try {
    // Reading a pipe in its place must not block.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return null;
    if (hasErrno(error, "EACCES", "ELOOP", "EPERM")) throw unreadable(path, `cannot be read (${error.code})`, error);
    throw error;
  }
}

function whereItLeads(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return path;
    throw error;
  }
}

function writeDurably(path: string, text: string): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  fsyncSync(fd);
  closeSync(fd);
}

function unsafe(path: string, fault: string, hint: string): TmpmError {
  return new TmpmError("UNSAFE_PATH", `the configuration ${path} ${fault}`, { hint, details: { path, fault } });
}

function unreadable(path: string, fault: string, cause?: unknown): TmpmError {
  return new TmpmError("CONFIG_INVALID", `the configuration ${path} ${fault}`, { details: { path }, cause });
}
