import { readdir, readlink, stat, unlink } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { hasErrno } from "@tmpm/core";
import { processStat } from "./process-stat.js";

/** A lock file that a process has open. */
export interface HeldLock {
  readonly path: string;
  /** Device and inode, since a file of that name may be another one later. */
  readonly identity: string;
}

const LOCK = ".lock";
const POLL_MS = 20;
/** The machine may have more processes than this process may open files. */
const FILES_AT_ONCE = 16;

/** The lock files that the processes of a group have open. Empty on systems without `/proc`. */
export async function heldLocks(group: number): Promise<readonly HeldLock[]> {
  return (await Promise.all((await membersOf(group)).map(locksOf))).flat();
}

/** The processes of a group that have not ended. */
async function membersOf(group: number): Promise<readonly string[]> {
  const pids = (await entriesOf("/proc")).filter((name) => /^\d+$/.test(name));
  const members: string[] = [];
  for (let at = 0; at < pids.length; at += FILES_AT_ONCE) {
    const some = pids.slice(at, at + FILES_AT_ONCE);
    members.push(...(await Promise.all(some.map(async (pid) => ((await isMember(pid, group)) ? [pid] : [])))).flat());
  }
  return members;
}

async function isMember(pid: string, group: number): Promise<boolean> {
  const found = await processStat(pid);
  return found !== null && found.group === group && found.state !== "Z" && found.state !== "X";
}

async function locksOf(pid: string): Promise<readonly HeldLock[]> {
  const folder = `/proc/${pid}/fd`;
  const found = await Promise.all(
    (await entriesOf(folder)).map(async (fd) => {
      const path = await ifThere(readlink(`${folder}/${fd}`));
      if (path === null || !path.startsWith("/") || !path.endsWith(LOCK)) return [];
      const identity = await identityOf(`${folder}/${fd}`);
      return identity === null ? [] : [{ path, identity }];
    }),
  );
  return found.flat();
}

export interface KilledGroup {
  readonly group: number;
  /** How long its processes may take to end, in ms. */
  readonly withinMs: number;
}

/** Removes those that are still the same file, once the processes that had them have ended. Returns the paths of the remaining ones. */
export async function removeLocks(locks: readonly HeldLock[], killed: KilledGroup): Promise<readonly string[]> {
  if (locks.length === 0) return [];
  const ended = await hasEnded(killed);
  const left: string[] = [];
  for (const { path, identity } of locks) {
    const now = await identityOf(path);
    if (now === null) continue;
    if (ended && now === identity) await ifThere(unlink(path));
    else left.push(path);
  }
  return left;
}

async function hasEnded({ group, withinMs }: KilledGroup): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += POLL_MS) {
    if ((await membersOf(group)).length === 0) return true;
    await sleep(POLL_MS);
  }
  return false;
}

async function identityOf(path: string): Promise<string | null> {
  const found = await ifThere(stat(path, { bigint: true }));
  return found === null ? null : `${found.dev}:${found.ino}`;
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  return (await ifThere(readdir(folder))) ?? [];
}

/** Null for what is gone, or belongs to another user. */
async function ifThere<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ESRCH", "EACCES", "EPERM")) return null;
    throw error;
  }
}
