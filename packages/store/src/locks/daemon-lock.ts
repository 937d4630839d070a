import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { hasErrno, TmpmError } from "@tmpm/core";
import { storeFailure } from "../durable/store-failure.js";
import { type Attempt, type HeldLock, type OwnerLock, seizeOwnerLock, tryOwnerLock } from "./owner-lock.js";

export interface DaemonHolder {
  readonly pid: number;
}

export interface DaemonLock {
  readonly holder: DaemonHolder;
  /** Idempotent. */
  release(): void;
}

export interface DaemonLockOptions {
  /** The data folder; created when missing. */
  readonly dir: string;
  /** The flock program; for tests of machines without one. */
  readonly flock?: string;
}

/**
 * Makes this process the only daemon of a data folder until it releases or dies, in any way. The claim names the holder and decides; a
 * flock held beside it, where that program exists, protects a live holder that seems dead.
 * @throws DAEMON_RUNNING with the holder's `pid` in the details, STORE_READ_ONLY
 */
export function acquireDaemonLock({ dir, flock = "flock" }: DaemonLockOptions): DaemonLock {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return acquire(dir, flock);
  } catch (error) {
    throw storeFailure(error, { doing: "cannot lock the data folder", path: dir });
  }
}

function acquire(dir: string, flock: string): DaemonLock {
  const path = join(dir, "daemon.claim");
  const attempt = tryOwnerLock(path);
  if (attempt.outcome === "held") return acquireHeld(attempt, { dir, flock, path });
  try {
    const guard = openGuard(join(dir, "daemon.lock"), flock);
    if (guard.state === "held") throw running(dir, null);
    return daemonLock(attempt.lock, guard);
  } catch (error) {
    attempt.lock.release();
    throw error;
  }
}

/** A holder in another container cannot be checked by its pid; if it does not hold the flock either, it is dead. */
function acquireHeld(held: HeldLock, { dir, flock, path }: Required<DaemonLockOptions> & { readonly path: string }): DaemonLock {
  const { pid } = held.holder;
  if (held.liveness === "running") throw running(dir, pid);
  const guard = openGuard(join(dir, "daemon.lock"), flock);
  if (guard.state === "held") throw running(dir, pid);
  const attempt: Attempt = guard.state === "locked" ? seizeOwnerLock(path, held) : { outcome: "held", ...held };
  if (attempt.outcome === "acquired") return daemonLock(attempt.lock, guard);
  guard.close();
  throw running(dir, attempt.holder.pid);
}

function daemonLock(lock: OwnerLock, guard: OpenGuard): DaemonLock {
  let held = true;
  return {
    holder: { pid: process.pid },
    release() {
      if (!held) return;
      held = false;
      lock.release();
      guard.close();
    },
  };
}

interface OpenGuard {
  /** `absent`: no flock program. */
  readonly state: "locked" | "absent";
  close(): void;
}

type Guard = OpenGuard | { readonly state: "held" };

/**
 * The lock belongs to the open file, which this process keeps; the program only sets it. The file stays, because a new one would be another
 * lock.
 */
function openGuard(path: string, flock: string): Guard {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  const close = () => closeSync(fd);
  const { error, status, stderr } = spawnSync(flock, ["-n", "3"], { stdio: ["ignore", "ignore", "pipe", fd], encoding: "utf8" });
  if (error === undefined && status === 0) return { state: "locked", close };
  if (error !== undefined && hasErrno(error, "ENOENT", "EACCES")) return { state: "absent", close };
  close();
  if (error !== undefined) throw error;
  if (status === 1 && stderr === "") return { state: "held" };
  throw new TmpmError("INTERNAL", `flock failed with status ${status}: ${stderr.trim()}`, { details: { path } });
}

function running(dir: string, pid: number | null): TmpmError {
  const who = pid === null ? "another process" : `process ${pid}`;
  return new TmpmError("DAEMON_RUNNING", `${who} is the daemon of ${dir}`, { details: { pid, dir } });
}
