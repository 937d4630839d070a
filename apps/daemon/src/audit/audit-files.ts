import { closeSync, constants, existsSync, fstatSync, ftruncateSync, readdirSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openOwnFile } from "@tmpm/api/local";

/** The system calls of the audit log, in one place so that a test can let one fail. Each throws as `node:fs` does. */
export interface AuditCalls {
  open(path: string): number;
  /** Returns the number of bytes written: a full disk truncates without an error. */
  write(fd: number, bytes: Uint8Array): number;
  truncate(fd: number, size: number): void;
  rename(from: string, to: string): void;
}

const APPENDING = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

export const nodeAuditCalls: AuditCalls = {
  open: (path) => openOwnFile(path, APPENDING),
  write: (fd, bytes) => writeSync(fd, bytes),
  truncate: ftruncateSync,
  rename: renameSync,
};

const CURRENT = "audit.jsonl";
const OLD = /^audit-(\d{16})\.jsonl$/;

export function currentFile(dir: string): string {
  return join(dir, CURRENT);
}

/** The path of a full file, by the number of its last entry. */
export function fullFile(dir: string, lastSeq: number): string {
  return join(dir, `audit-${String(lastSeq).padStart(16, "0")}.jsonl`);
}

/** All files, oldest first. */
export function auditFiles(dir: string): readonly string[] {
  const names = existsSync(dir) ? readdirSync(dir) : [];
  const old = names.filter((name) => OLD.test(name)).sort();
  return [...old, ...(names.includes(CURRENT) ? [CURRENT] : [])].map((name) => join(dir, name));
}

export function removeOldest(dir: string, keep: number): void {
  const old = auditFiles(dir).filter((path) => path !== currentFile(dir));
  for (const path of old.slice(0, Math.max(0, old.length - keep))) rmSync(path, { force: true });
}

/** The last lines of a file, and the text after the last newline. */
export interface Tail {
  readonly size: number;
  readonly lines: readonly string[];
  readonly rest: string;
}

const TAIL_BYTES = 64 * 1024;

export function tailOf(fd: number): Tail {
  const { size } = fstatSync(fd);
  const from = Math.max(0, size - TAIL_BYTES);
  const bytes = Buffer.alloc(size - from);
  for (let read = 0; read < bytes.length; ) {
    const count = readSync(fd, bytes, read, bytes.length - read, from + read);
    if (count === 0) break;
    read += count;
  }
  const parts = bytes.toString("latin1").split("\n");
  return { size, lines: parts.slice(from === 0 ? 0 : 1, -1), rest: parts.at(-1) ?? "" };
}

export function tailOfFile(path: string): Tail {
  const fd = openOwnFile(path, constants.O_RDONLY);
  try {
    return tailOf(fd);
  } finally {
    closeSync(fd);
  }
}
