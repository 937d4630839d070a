import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { TmpmError } from "@tmpm/core";
import { storeFailure } from "./errno.js";
import { type Held, type OwnerLock, ownerLock } from "./owner-lock.js";

/** Beside the project folders, so that taking a lock does not look like a change of one. */
const LOCKS = ".locks";

/** An update holds its lock for a few milliseconds; a holder that keeps it this long is stopped or hangs. */
const TIMEOUT_MS = 10_000;

export interface LockOptions {
  readonly base: string;
  readonly id: string;
  readonly timeoutMs?: number;
}

/** Runs `task` while no other process changes the record. @throws STORE_DEGRADED when another one holds on to it */
export async function withRecordLock<T>({ base, id, timeoutMs = TIMEOUT_MS }: LockOptions, task: () => Promise<T>): Promise<T> {
  const path = join(base, LOCKS, id);
  const lock = await acquire(path, { base, timeoutMs });
  try {
    return await task();
  } finally {
    lock.release();
  }
}

async function acquire(path: string, { base, timeoutMs }: { readonly base: string; readonly timeoutMs: number }): Promise<OwnerLock> {
  try {
    mkdirSync(join(base, LOCKS), { recursive: true, mode: 0o700 });
    const lock = await ownerLock(path, { timeoutMs });
    if ("release" in lock) return lock;
    throw heldTooLong(path, lock);
  } catch (error) {
    throw storeFailure(error, { doing: "cannot lock the record", path });
  }
}

function heldTooLong(path: string, { holder, liveness }: Held): TmpmError {
  const hint =
    liveness === "running"
      ? `Process ${holder.pid} holds it: continue or end that process.`
      : `If process ${holder.pid} of the other container is gone, remove the file.`;
  return new TmpmError("STORE_DEGRADED", `process ${holder.pid} does not let go of the record's lock ${path}`, {
    hint,
    details: { pid: holder.pid, path },
  });
}
