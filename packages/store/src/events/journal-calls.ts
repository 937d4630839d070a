import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync } from "node:fs";
import { nodeWriteCalls, type WriteCalls } from "../durable/write-durably.js";

/** The system calls of a journal, in one place so that a test can record them or let one fail. Each throws like `node:fs`. */
export interface JournalCalls extends WriteCalls {
  /** Opens a file for appending; creates it with mode 0600. */
  open(path: string): number;
  read(path: string): Buffer;
  truncate(fd: number, size: number): void;
}

/** O_NONBLOCK: opening a FIFO in place of a file would wait for its other end. */
const SAFE = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Several times the largest segment of a default journal, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

export const nodeJournalCalls: JournalCalls = {
  ...nodeWriteCalls,
  open: (path) => checked(path, openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | SAFE, 0o600)),
  read(path) {
    const fd = checked(path, openSync(path, constants.O_RDONLY | SAFE));
    try {
      if (fstatSync(fd).size > MOST_BYTES) throw refused("EFBIG", `${path} is larger than ${MOST_BYTES} bytes`);
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  },
  truncate: ftruncateSync,
};

/** An append would also change other hard links of the file. */
function checked(path: string, fd: number): number {
  const stats = fstatSync(fd);
  if (stats.isFile() && stats.nlink <= 1) return fd;
  closeSync(fd);
  throw refused("EINVAL", `${path} is not a regular file with one name`);
}

function refused(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, syscall: "open" });
}
