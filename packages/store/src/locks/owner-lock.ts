import { readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { errnoOf, hasErrno } from "@tmpm/core";
import { uniqueToken } from "../durable/unique-token.js";
import { type Liveness, livenessOf, ownIdentity, type ProcessIdentity } from "./process-identity.js";

export interface OwnerLock {
  /** Idempotent. A claim that cannot be removed, as on a read-only disk, stays, and only this process can take the lock again. */
  release(): void;
}

export interface HeldLock {
  readonly holder: ProcessIdentity;
  /** Identifies this hold of the lock. */
  readonly claim: string;
  readonly liveness: Exclude<Liveness, "gone">;
}

export type Attempt = { readonly outcome: "acquired"; readonly lock: OwnerLock } | ({ readonly outcome: "held" } & HeldLock);

interface Claim extends ProcessIdentity {
  /** Distinguishes this claim from every other one, also of this process. */
  readonly nonce: string;
}

/** Claims of this process that could not be removed on release; no other process may judge them while it lives. */
const abandoned = new Set<string>();

/**
 * Takes the lock at `path` if it is free or if its holder is dead. The lock is a symbolic link whose target names the holder: it appears
 * atomically, so a killed process leaves nothing ambiguous. @throws the errno of the file system
 */
export function tryOwnerLock(path: string): Attempt {
  for (;;) {
    const lock = create(path);
    if (lock !== null) return { outcome: "acquired", lock };
    const target = readTarget(path);
    if (target === null) continue;
    if (abandoned.has(target)) {
      clear(path, target);
      continue;
    }
    const claim = parseClaim(target);
    const liveness = livenessOf(claim);
    if (liveness !== "gone") return { outcome: "held", holder: claim, claim: target, liveness };
    const held = removeStale(path, target);
    if (held !== null) return held;
  }
}

/** Takes the lock from a holder that cannot be checked from here; for callers that know otherwise that it is dead. */
export function seizeOwnerLock(path: string, { claim }: HeldLock): Attempt {
  removeStale(path, claim);
  return tryOwnerLock(path);
}

/** While the lock passes between holders, none of them hangs, and the wait may take this many times longer. */
const PATIENCE = 6;

/** Waits until the lock is free, or was held by the same holder for `timeoutMs`. */
export async function ownerLock(path: string, { timeoutMs }: { readonly timeoutMs: number }): Promise<OwnerLock | HeldLock> {
  const begun = performance.now();
  let seen = { claim: "", since: begun };
  for (let pause = 1; ; pause = Math.min(pause * 1.5, 20)) {
    const attempt = tryOwnerLock(path);
    if (attempt.outcome === "acquired") return attempt.lock;
    const now = performance.now();
    if (attempt.claim !== seen.claim) seen = { claim: attempt.claim, since: now };
    if (now - seen.since >= timeoutMs || now - begun >= PATIENCE * timeoutMs) return attempt;
    await sleep(pause);
  }
}

/**
 * Removes exactly the claim `target`. Removing requires a lock named after the claim, so only one of several processes that saw the same
 * dead holder removes it, and none can remove the next claim.
 */
function removeStale(path: string, target: string): Attempt | null {
  const right = tryOwnerLock(`${path.replace(/~[0-9a-f]+$/, "")}~${parseClaim(target).nonce}`);
  if (right.outcome === "held") return right;
  try {
    if (readTarget(path) === target) remove(path);
    return null;
  } finally {
    right.lock.release();
  }
}

function create(path: string): OwnerLock | null {
  const target = formatClaim({ ...ownIdentity(), nonce: uniqueToken() });
  try {
    symlinkSync(target, path);
  } catch (error) {
    if (hasErrno(error, "EEXIST")) return null;
    throw error;
  }
  return { release: () => release(path, target) };
}

/** A failure does not replace the outcome of what the lock protected. */
function release(path: string, target: string): void {
  abandoned.add(target);
  try {
    clear(path, target);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
  }
}

function clear(path: string, target: string): void {
  if (readTarget(path) === target) remove(path);
  abandoned.delete(target);
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!hasErrno(error, "ENOENT")) throw error;
  }
}

/** Null when the lock is free. Another kind of file at this path is not a claim, and is not ours to remove. */
function readTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
}

function formatClaim({ pid, start, boot, namespace, nonce }: Claim): string {
  return [pid, start, boot, namespace, nonce].join(":");
}

/** An invalid target reads as a claim from another boot, whose holder is gone. */
function parseClaim(target: string): Claim {
  const [pid = "", start = "", boot = "?", namespace = "", nonce = "0"] = target.split(":");
  return { pid: Number(pid), start, boot, namespace, nonce: nonce.replace(/[^0-9a-f]/g, "") };
}
