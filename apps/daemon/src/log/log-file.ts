import { closeSync, constants, copyFileSync, fstatSync, ftruncateSync, renameSync, rmSync, writeSync } from "node:fs";
import { openOwnFile } from "@tmpm/api/local";

/** An append-only file that is rotated when full. */
export interface LogFile {
  /** Writes synchronously and never fails: lost lines are counted, and reported once writing works again. */
  write(line: string): void;
  /** Whether an open descriptor is this file. */
  is(fd: number): boolean;
  close(): void;
}

export interface LogFileOptions {
  readonly path: string;
  /** Maximum size of a file. */
  readonly maxBytes?: number;
  /** Number of full files kept, from `PATH.1`, the newest, to `PATH.N`. */
  readonly keep?: number;
  /** The line that reports how many are missing. */
  readonly missing: (count: number) => string;
}

/** reliability C11. */
const MAX_BYTES = 10 * 1024 * 1024;
const KEEP = 4;

/**
 * A full file is copied and truncated, not renamed: followers and Node's own crash output hold it open too. @throws UNSAFE_PATH, and
 * the system's error when it cannot be opened
 */
export function logFile({ path, maxBytes = MAX_BYTES, keep = KEEP, missing }: LogFileOptions): LogFile {
  const fd = openOwnFile(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
  let size = fstatSync(fd).size;
  let lost = 0;

  function put(line: string): void {
    const bytes = Buffer.from(line);
    if (size > 0 && size + bytes.length > maxBytes) moveOn();
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    size += bytes.length;
  }

  function moveOn(): void {
    for (let number = keep; number > 1; number -= 1) moveFile(`${path}.${number - 1}`, `${path}.${number}`);
    if (keep > 0) copyFileSync(path, `${path}.1`);
    ftruncateSync(fd);
    size = 0;
  }

  return {
    write(line) {
      try {
        if (lost > 0) put(missing(lost));
        lost = 0;
        put(line);
      } catch (error) {
        if (!isSystemError(error)) throw error;
        lost += 1;
      }
    },
    is(other) {
      const [mine, theirs] = [fstatSync(fd), fstatSync(other)];
      return mine.dev === theirs.dev && mine.ino === theirs.ino;
    },
    close: () => closeSync(fd),
  };
}

function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isSystemError(error) || error.code !== "ENOENT") throw error;
    rmSync(to, { force: true });
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error;
}
