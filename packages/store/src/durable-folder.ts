import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { hasErrno, reportingFailure, storeFailure } from "./errno.js";
import { statOf } from "./file-identity.js";
import { syncFolder, type WriteCalls } from "./write-durably.js";

/** Creates a private folder, so that a power loss does not take it back. The folder above it has to be there. */
export async function makeFolder(path: string, calls: WriteCalls): Promise<void> {
  try {
    if (statOf(path) !== null) return;
    mkdirSync(path, { mode: 0o700 });
    await syncFolder(dirname(path), calls);
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) throw storeFailure(error, { doing: "cannot create the folder", path });
  }
}

/** Creates a private folder and what is missing above it. */
export async function makeFolders(path: string, calls: WriteCalls): Promise<void> {
  const parent = dirname(path);
  const missing = reportingFailure({ doing: "cannot create the folder", path }, () => statOf(path) === null);
  if (missing && parent !== path) await makeFolders(parent, calls);
  await makeFolder(path, calls);
}

/** Moves a file to another folder: afterwards it is in one of the two, also after a power loss. */
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
