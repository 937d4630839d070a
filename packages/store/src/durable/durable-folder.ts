import { dirname } from "node:path";
import { hasErrno } from "@tmpm/core";
import { statOf } from "./file-identity.js";
import { reportingFailure, storeFailure } from "./store-failure.js";
import { syncFolder, type WriteCalls } from "./write-durably.js";

/** The folders that these calls found or made, and whether each is durable. */
const looked = new WeakMap<WriteCalls, Map<string, DurableFolder>>();

/** A forgotten one is synced once more. */
const FOLDERS_KNOWN = 64;

interface DurableFolder {
  readonly ino: bigint;
  readonly durable: Promise<void>;
}

/**
 * Creates a private folder that survives a power loss. An existing one may have been made just now by a process that did not sync it, so it
 * is synced once. Its parent must exist.
 */
export async function makeFolder(path: string, calls: WriteCalls): Promise<void> {
  try {
    const found = statOf(path);
    const made = found === null && create(path, calls);
    const ino = (found ?? statOf(path))?.ino ?? 0n;
    await once(path, { calls, ino, made, task: () => syncEntry(path, { calls, made }) });
  } catch (error) {
    throw storeFailure(error, { doing: "cannot create the folder", path });
  }
}

/** False when another process created it first. */
function create(path: string, calls: WriteCalls): boolean {
  try {
    calls.mkdir(path);
    return true;
  } catch (error) {
    if (hasErrno(error, "EEXIST")) return false;
    throw error;
  }
}

interface Once {
  readonly calls: WriteCalls;
  readonly ino: bigint;
  /** A new folder may have the number of a removed one. */
  readonly made: boolean;
  readonly task: () => Promise<void>;
}

/** Concurrent callers wait for the same creation. */
async function once(path: string, { calls, ino, made, task }: Once): Promise<void> {
  const folders = looked.get(calls) ?? new Map<string, DurableFolder>();
  looked.set(calls, folders);
  const before = folders.get(path);
  if (before?.ino === ino && !made) return before.durable;
  const folder = { ino, durable: task() };
  folders.set(path, folder);
  const [oldest] = folders.keys();
  if (folders.size > FOLDERS_KNOWN && oldest !== undefined) folders.delete(oldest);
  try {
    await folder.durable;
  } catch (error) {
    if (folders.get(path) === folder) folders.delete(path);
    throw error;
  }
}

/** Above a foreign folder there may be an unreadable one. */
async function syncEntry(path: string, { calls, made }: { readonly calls: WriteCalls; readonly made: boolean }): Promise<void> {
  try {
    await syncFolder(dirname(path), calls);
  } catch (error) {
    if (made || !hasErrno(error, "EACCES", "EPERM")) throw error;
  }
}

/** Creates a private folder with its missing parents. */
export async function makeFolders(path: string, calls: WriteCalls): Promise<void> {
  const parent = dirname(path);
  const missing = reportingFailure({ doing: "cannot create the folder", path }, () => statOf(path) === null);
  if (missing && parent !== path) await makeFolders(parent, calls);
  await makeFolder(path, calls);
}

/** Moves a file to another folder: it is in exactly one of the two, also after a power loss. */
export async function moveDurably(from: string, { to, calls }: { readonly to: string; readonly calls: WriteCalls }): Promise<void> {
  let moved = false;
  try {
    calls.rename(from, to);
    moved = true;
    await syncFolder(dirname(to), calls);
    await syncFolder(dirname(from), calls);
  } catch (error) {
    throw storeFailure(error, { doing: "cannot move the record", path: from, effect: moved ? "unknown" : "none" });
  }
}

export async function removeDurably(path: string, calls: WriteCalls): Promise<void> {
  let removed = false;
  try {
    calls.unlink(path);
    removed = true;
    await syncFolder(dirname(path), calls);
  } catch (error) {
    throw storeFailure(error, { doing: "cannot remove the record", path, effect: removed ? "unknown" : "none" });
  }
}
