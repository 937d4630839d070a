import { rmSync, statSync, writeFileSync } from "node:fs";
import { readOwnFile } from "@tmpm/api/local";
import { DISK_FULL, hasErrno } from "@tmpm/core/errno";
import { hasCode } from "@tmpm/core/errors";
import { isAlive } from "./process-alive.js";

/** A process that holds the turn for longer has failed. */
const EXPIRES_MS = 20_000;

/**
 * Whether this process starts the daemon, if several need it at once. Only avoids starting many daemons:
 * uniqueness is guaranteed by the daemon's own lock.
 */
export function takeTurn(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) return withoutTurns(path, error);
  }
  if (isExpired(path)) endTurn(path);
  return false;
}

/** On a full or read-only disk every caller may try: the daemon's own lock decides. */
function withoutTurns(path: string, error: unknown): true {
  if (!hasErrno(error, "EROFS", "EACCES", "EPERM", ...DISK_FULL)) throw error;
  rmSync(path, { force: true });
  return true;
}

export function endTurn(path: string): void {
  rmSync(path, { force: true, recursive: true });
}

function isExpired(path: string): boolean {
  try {
    const holder = Number(readOwnFile(path) ?? "0");
    const age = Date.now() - statSync(path).mtimeMs;
    // Between creating and writing, the file is empty for a moment.
    return age > EXPIRES_MS || (holder > 0 && !isAlive(holder));
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return false;
    // The folder contains nothing else created by a process that starts a daemon.
    if (hasCode(error, "UNSAFE_PATH")) return true;
    throw error;
  }
}
