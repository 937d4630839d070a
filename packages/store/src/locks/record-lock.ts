import { TmpmError } from "@tmpm/core";
import { storeFailure } from "../durable/store-failure.js";
import { type HeldLock, type OwnerLock, ownerLock } from "./owner-lock.js";

/** An update holds its lock for a few milliseconds; a holder that keeps it this long is stopped or hangs. */
const TIMEOUT_MS = 10_000;

export interface RecordLockOptions<T> {
  readonly task: () => Promise<T>;
  readonly timeoutMs?: number;
}

/** Runs `task` while no other process has the lock at `path`. @throws STORE_DEGRADED when another one keeps it */
export async function withRecordLock<T>(path: string, { task, timeoutMs = TIMEOUT_MS }: RecordLockOptions<T>): Promise<T> {
  const lock = await acquire(path, timeoutMs);
  try {
    return await task();
  } finally {
    lock.release();
  }
}

async function acquire(path: string, timeoutMs: number): Promise<OwnerLock> {
  try {
    const lock = await ownerLock(path, { timeoutMs });
    if ("release" in lock) return lock;
    throw heldTooLong(path, lock);
  } catch (error) {
    throw storeFailure(error, { doing: "cannot lock the record", path });
  }
}

function heldTooLong(path: string, { holder, liveness }: HeldLock): TmpmError {
  const hint =
    liveness === "running"
      ? `Resume or end process ${holder.pid}, which holds it.`
      : `If process ${holder.pid} of the other container has ended, remove the file.`;
  return new TmpmError("STORE_DEGRADED", `process ${holder.pid} does not release the record's lock ${path}`, {
    hint,
    details: { pid: holder.pid, path },
  });
}
