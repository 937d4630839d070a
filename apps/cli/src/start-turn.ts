import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isAlive } from "./process-alive.js";

/** A holder that takes longer than this has failed. */
const EXPIRES_MS = 20_000;

/**
 * Whether this process is the one that starts the daemon, of many that need it at once. It only spares the machine a crowd of daemons:
 * that there is never more than one is the work of the daemon's own lock.
 */
export function takeTurn(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) throw error;
  }
  if (isExpired(path)) endTurn(path);
  return false;
}

export function endTurn(path: string): void {
  rmSync(path, { force: true });
}

function isExpired(path: string): boolean {
  try {
    const holder = Number(readFileSync(path, "utf8"));
    const age = Date.now() - statSync(path).mtimeMs;
    // Between creating and writing, the file is empty for a moment.
    return age > EXPIRES_MS || (holder > 0 && !isAlive(holder));
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return false;
    throw error;
  }
}

function hasErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
