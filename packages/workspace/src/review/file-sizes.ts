import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { hasErrno } from "@tmpm/core";
import type { GitOptions, Scratch } from "../git/git.js";
import { requireGit } from "../git/require-git.js";
import type { ByteText } from "./byte-text.js";
import { type ChangedEntry, isOnlyFile, SUBMODULE } from "./changed-entries.js";
import { inScratchFolder } from "./scratch-index.js";

/** Maximum size of the files, before and after, whose patches are printed at once. */
export const PAGE_BYTES = 2 * 1024 * 1024;
const EXACT_BYTES = 16 * 1024 * 1024;

/** Maximum size of one file, before and after, whose patch is printed. */
export function mostBytes({ exact }: { readonly exact: boolean }): number {
  return exact ? EXACT_BYTES : PAGE_BYTES;
}

export interface SizedEntry {
  /** With the id of its new content, if that was stored to measure it. */
  readonly entry: ChangedEntry;
  /** Size before and after, together. */
  readonly bytes: number;
}

export interface Measuring {
  readonly entries: readonly ChangedEntry[];
  /** The top of the work tree. */
  readonly top: string;
  /** Whether filters of the user's own configuration may make the content of a file smaller. */
  readonly users: boolean;
}

type Scratched = GitOptions & { readonly scratch: Scratch };

/** @throws GIT_FAILED */
export async function withSizes(git: Scratched, { entries, top, users }: Measuring): Promise<readonly SizedEntry[]> {
  const known = await objectSizes(git, entries);
  const found = entries.map((entry) => withoutMissing(entry, known));
  const files = new Map<ByteText, number>();
  for (const entry of found) if (isOnlyFile(entry)) files.set(entry.path, await sizeAt(top, entry.path));
  const stored = await storedIds(
    git,
    found.filter((entry) => isOnlyFile(entry) && (entry.newMode === SUBMODULE || (users && (files.get(entry.path) ?? 0) > PAGE_BYTES))),
  );
  const settled = found.map((entry) => ({ ...entry, newId: entry.newId ?? stored.get(entry.path) ?? null }));
  const sizes = stored.size === 0 ? known : await objectSizes(git, settled);
  return settled.map((entry) => {
    const unstored = isOnlyFile(entry) ? (files.get(entry.path) ?? 0) : 0;
    return { entry, bytes: blobsOf(entry).reduce((sum, id) => sum + (sizes.get(id) ?? 0), unstored) };
  });
}

/** To find renames, git computes ids of files whose content is not stored. For a submodule it is that of a text without its commit. */
function withoutMissing(entry: ChangedEntry, known: ReadonlyMap<string, number>): ChangedEntry {
  const { newId, newMode } = entry;
  if (newId === null) return entry;
  const isStored = newMode === SUBMODULE ? newId !== unknownCommit(newId.length) : known.has(newId);
  return isStored ? entry : { ...entry, newId: null };
}

function unknownCommit(length: number): string {
  const text = `Subproject commit ${"0".repeat(length)}\n`;
  return createHash(length === 40 ? "sha1" : "sha256")
    .update(`blob ${text.length}\0${text}`)
    .digest("hex");
}

function blobsOf({ oldMode, oldId, newMode, newId }: ChangedEntry): readonly string[] {
  return [oldMode === SUBMODULE ? null : oldId, newMode === SUBMODULE ? null : newId].filter((id) => id !== null);
}

/** By id; a missing object has none. */
async function objectSizes(git: Scratched, entries: readonly ChangedEntry[]): Promise<ReadonlyMap<string, number>> {
  const ids = [...new Set(entries.flatMap(blobsOf))];
  if (ids.length === 0) return new Map();
  const input = ids.map((id) => `${id}\n`).join("");
  const answer = await requireGit(["cat-file", "--batch-check=%(objectname) %(objectsize)"], { ...git, input });
  return new Map(
    answer.split("\n").flatMap((line) => {
      const [, id, bytes] = /^([0-9a-f]+) (\d+)$/.exec(line) ?? [];
      return id === undefined ? [] : [[id, Number(bytes)] as const];
    }),
  );
}

/** The ids of new contents by paths; those of files become temporary objects. */
async function storedIds(git: Scratched, entries: readonly ChangedEntry[]): Promise<ReadonlyMap<ByteText, string>> {
  if (entries.length === 0) return new Map();
  return inScratchFolder(async (folder) => {
    const own: Scratched = { ...git, encoding: "latin1", scratch: { ...git.scratch, index: join(folder, "index") } };
    const input = entries.map(({ path }) => `${path}\0`).join("");
    await requireGit(["update-index", "-z", "--add", "--stdin"], { ...own, input });
    const listed = (await requireGit(["ls-files", "--stage", "-z"], own)).split("\0");
    return new Map(
      listed.flatMap((line) => {
        const [, id, path] = /^\d+ ([0-9a-f]+) 0\t(.+)$/s.exec(line) ?? [];
        return id === undefined || path === undefined ? [] : [[path, id] as const];
      }),
    );
  });
}

/** The size of a file or link in bytes; 0 when it is gone, or not readable. */
async function sizeAt(top: string, path: ByteText): Promise<number> {
  return Number((await fileAt(top, path))?.size ?? 0);
}

/** A file or link; null when it is gone, or not readable. */
export async function fileAt(top: string, path: ByteText): Promise<BigIntStats | null> {
  try {
    return await lstat(Buffer.concat([Buffer.from(join(top, "/")), Buffer.from(path, "latin1")]), { bigint: true });
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG")) return null;
    throw error;
  }
}
