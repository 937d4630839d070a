import { closeSync, constants, ftruncateSync, openSync, readFileSync } from "node:fs";
import { nodeWriteCalls, type WriteCalls } from "./write-durably.js";

/** The system calls of a journal, in one place so that a test can record them or let one fail. Each throws as `node:fs` does. */
export interface JournalCalls extends WriteCalls {
  /** Opens a file for appending; creates it with mode 0600. */
  open(path: string): number;
  read(path: string): Buffer;
  truncate(fd: number, size: number): void;
}

/** O_NONBLOCK: opening a FIFO in place of a file would wait for somebody at its other end. */
const SAFE = constants.O_NOFOLLOW | constants.O_NONBLOCK;

export const nodeJournalCalls: JournalCalls = {
  ...nodeWriteCalls,
  open: (path) => openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | SAFE, 0o600),
  read(path) {
    const fd = openSync(path, constants.O_RDONLY | SAFE);
    try {
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  },
  truncate: ftruncateSync,
};
