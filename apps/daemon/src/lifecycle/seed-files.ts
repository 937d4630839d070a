import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SeedFile } from "@tmpm/agents";
import { hasErrno, keyedQueue } from "@tmpm/core";

/** Sessions that start together add to the same files, one after another. */
const queue = keyedQueue();

/** Writes additions to the user's files, each atomically, preserving modes and following symbolic links. */
export async function seedFiles(files: readonly SeedFile[]): Promise<void> {
  for (const file of files) {
    const path = await targetOf(file.path);
    await queue.run(path, async () => {
      const next = file.merge(await textOf(path));
      if (next !== null) await replace(path, next);
    });
  }
}

async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const mode = await modeOf(path);
  const temporary = join(dirname(path), `.tmpm-${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, text, { mode, flag: "wx" });
    await chmod(temporary, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function targetOf(path: string): Promise<string> {
  return (await orNull(realpath(path))) ?? path;
}

async function textOf(path: string): Promise<string | null> {
  return orNull(readFile(path, "utf8"));
}

async function modeOf(path: string): Promise<number> {
  const found = await orNull(stat(path));
  return found === null ? 0o600 : found.mode & 0o777;
}

async function orNull<T>(looked: Promise<T>): Promise<T | null> {
  try {
    return await looked;
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
}
