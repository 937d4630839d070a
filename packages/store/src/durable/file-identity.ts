import { type BigIntStats, lstatSync } from "node:fs";

/** Values that change when a file or folder is replaced, or edited in place with its size and modification time restored. */
export interface FileIdentity {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly nlink: bigint;
}

/** The coarsest clock of a file system, in ms: a more recent identity may stay the same through a change. */
const RACY_NS = 2_000_000_000n;

/** Null for a missing file. Never follows a symbolic link. */
export function statOf(path: string): BigIntStats | null {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
}

export function identityOf(stat: BigIntStats): FileIdentity {
  return { ino: stat.ino, size: stat.size, mtimeNs: stat.mtimeNs, ctimeNs: stat.ctimeNs, nlink: stat.nlink };
}

export function isSameFile(stat: BigIntStats, identity: FileIdentity): boolean {
  return stat.ctimeNs === identity.ctimeNs && stat.mtimeNs === identity.mtimeNs && stat.ino === identity.ino && stat.size === identity.size;
}

/** Whether a file read at `nowMs` (wall clock) may have changed since without a new identity. */
export function isRacy(identity: FileIdentity, nowMs: number): boolean {
  const limit = BigInt(Math.trunc(nowMs)) * 1_000_000n - RACY_NS;
  return identity.ctimeNs > limit || identity.mtimeNs > limit;
}
