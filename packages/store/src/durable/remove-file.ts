import { rmdirSync } from "node:fs";
import { errnoOf } from "@tmpm/core";
import { statOf } from "./file-identity.js";
import { storeFailure } from "./store-failure.js";
import type { WriteCalls } from "./write-durably.js";

export interface Removal {
  readonly calls: Pick<WriteCalls, "unlink">;
  /** The failed action of an error: "cannot remove the send". */
  readonly doing: string;
}

/** Removes a file, for a caller that recognises one restored by a power loss. A missing one is fine, also on a read-only disk. */
export function removeFile(path: string, { calls, doing }: Removal): void {
  try {
    calls.unlink(path);
  } catch (error) {
    if (errnoOf(error) === null || !isMissing(path)) throw storeFailure(error, { doing, path, effect: "unknown" });
  }
}

/** Removes a folder unless something is in it. Best effort: an empty one is harmless. */
export function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
  }
}

function isMissing(path: string): boolean {
  try {
    return statOf(path) === null;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return false;
  }
}
