import { copyFile, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { hasErrno } from "@tmpm/core";
import { type FileIdentity, identityOf, isSameFile } from "../durable/file-identity.js";

export interface CopyPaths {
  readonly from: string;
  readonly to: string;
}

export interface CopyCalls {
  copy(from: string, to: string): Promise<void>;
  sleep(ms: number): Promise<unknown>;
}

const ATTEMPTS = 20;
const PAUSE_MS = 50;

/**
 * Copies files that belong together as they are at one moment: again while one of them changes meanwhile. A missing one has no copy. False
 * when they did not stop changing. @throws the errno of the file system
 */
export async function copyUnchanged(files: readonly CopyPaths[], calls: CopyCalls = { copy: copyFile, sleep }): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = await identitiesOf(files);
    for (const [index, { from, to }] of files.entries()) {
      await rm(to, { force: true });
      if (before[index] !== null) await calls.copy(from, to);
    }
    if (await areStill(files, before)) return true;
    await calls.sleep(PAUSE_MS * attempt);
  }
  return false;
}

function identitiesOf(files: readonly CopyPaths[]): Promise<readonly (FileIdentity | null)[]> {
  return Promise.all(files.map(async ({ from }) => identityAt(from)));
}

async function identityAt(path: string): Promise<FileIdentity | null> {
  const found = await statAt(path);
  return found === null ? null : identityOf(found);
}

async function areStill(files: readonly CopyPaths[], before: readonly (FileIdentity | null)[]): Promise<boolean> {
  for (const [index, { from }] of files.entries()) {
    const [now, then] = [await statAt(from), before[index] ?? null];
    if (now === null || then === null ? now !== then : !isSameFile(now, then)) return false;
  }
  return true;
}

async function statAt(path: string) {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
}
