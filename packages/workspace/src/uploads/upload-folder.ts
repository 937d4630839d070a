import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { hasErrno, keyedQueue, TmpmError } from "@tmpm/core";
import { diskFailure } from "../files/disk-failure.js";
import { readPrivate, writePrivate } from "../files/private-file.js";
import { type HeldFolder, inFolder } from "./held-folder.js";
import { holdsBytes, isFileOfSize, removeStale, writeTemporary } from "./upload-bytes.js";

/** The session of the files, and their directory. */
export interface UploadPlace {
  readonly sessionId: string;
  readonly directory: string;
}

export interface UploadRequest {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly maxBytes: number;
  /** The file name for bytes with this digest. */
  readonly nameOf: (digest: string) => string;
}

export interface KeptUpload {
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  readonly size: number;
  readonly name: string;
  /** Its file already existed, with exactly these bytes. */
  readonly deduplicated: boolean;
}

/**
 * Files uploaded to sessions, in a folder for each session that git ignores: `.tmpm/uploads/<session>` in its directory. Nothing is written
 * through a link, and only the folder is ever removed.
 */
export interface Uploads {
  folderOf(place: UploadPlace): string;
  /**
   * Stores streamed bytes; on failure nothing is left. @throws UPLOAD_TOO_LARGE, DIRECTORY_NOT_FOUND, UNSAFE_PATH, STORAGE_FULL,
   * STORE_READ_ONLY
   */
  keep(place: UploadPlace, request: UploadRequest): Promise<KeptUpload>;
  /** Whether a file of this name and size exists. */
  holds(place: UploadPlace, file: { readonly name: string; readonly size: number }): Promise<boolean>;
  /** Removes one file. Idempotent. */
  discard(place: UploadPlace, name: string): Promise<void>;
  /** Removes a session's folder, and then empty folders of ours. Idempotent. */
  remove(place: UploadPlace): Promise<void>;
}

export function uploadFolder({ now = Date.now }: { readonly now?: () => number } = {}): Uploads {
  const inTurn = keyedQueue();
  const chainOf = ({ directory, sessionId }: UploadPlace) => ({ base: directory, names: [".tmpm", "uploads", sessionId] });
  const folderOf = (place: UploadPlace) => join(chainOf(place).base, ...chainOf(place).names);

  async function inOwn<T>(place: UploadPlace, use: (folder: HeldFolder) => Promise<T>): Promise<T> {
    const { base, names } = chainOf(place);
    try {
      await inFolder({ base, names: names.slice(0, -1), make: true }, hideFromGit);
      const used = await inFolder({ base, names, make: true }, async (folder) => ({ result: await use(folder) }));
      if (used === null) throw new TmpmError("UNSAFE_PATH", `${folderOf(place)} was removed while in use`);
      return used.result;
    } catch (error) {
      throw diskFailure(error, { path: folderOf(place) });
    }
  }

  async function ifThere(place: UploadPlace, use: (folder: HeldFolder) => Promise<boolean>): Promise<boolean> {
    try {
      return (await inFolder({ ...chainOf(place), make: false }, use)) ?? false;
    } catch (error) {
      // Without a folder of ours, there is no file of ours.
      if (error instanceof TmpmError) return false;
      throw error;
    }
  }

  return {
    folderOf,
    keep: (place, request) =>
      inOwn(place, async (folder) => {
        await removeStale(folder, now());
        const written = await writeTemporary(folder, request);
        const name = request.nameOf(written.digest);
        return inTurn.run(`${place.sessionId}/${written.digest}`, () => settle(folder, { ...written, name }));
      }),
    holds: (place, { name, size }) => ifThere(place, (folder) => isFileOfSize(folder.at(name), size)),
    async discard(place, name) {
      await ifThere(place, async (folder) => {
        await rm(folder.at(name), { force: true });
        return true;
      });
    },
    async remove(place) {
      const { base, names } = chainOf(place);
      const [id = ""] = names.slice(-1);
      await quietly(() => inFolder({ base, names: names.slice(0, -1), make: false }, (uploads) => removeFrom(uploads, id)));
      await quietly(() => inFolder({ base, names: [".tmpm"], make: false }, (own) => removeEmpty(own.at("uploads"))));
      await quietly(() => inFolder({ base, names: [], make: false }, (directory) => removeEmpty(directory.at(".tmpm"))));
    },
  };
}

interface Settling {
  readonly temporary: string;
  readonly digest: string;
  readonly size: number;
  readonly name: string;
}

/**
 * Renames the written file to its name, unless that has the same bytes already. A link or another file in its place is replaced, not
 * followed.
 */
async function settle(folder: HeldFolder, { temporary, digest, size, name }: Settling): Promise<KeptUpload> {
  try {
    const deduplicated = await holdsBytes(folder.at(name), { digest, size });
    if (!deduplicated) await rename(folder.at(temporary), folder.at(name));
    await folder.handle.sync();
    return { digest, size, name, deduplicated };
  } finally {
    await rm(folder.at(temporary), { force: true });
  }
}

const IGNORE = "*\n";

/** Hides the folder and this file itself from git. */
async function hideFromGit(uploads: HeldFolder): Promise<void> {
  const path = uploads.at(".gitignore");
  const found = await readPrivate(path);
  if (found.kind !== "read" || found.text !== IGNORE) await writePrivate(path, IGNORE);
}

async function removeFrom(uploads: HeldFolder, id: string): Promise<void> {
  await rm(uploads.at(id), { recursive: true, force: true });
  const left = await readdir(uploads.at("."));
  if (left.length === 1 && left[0] === ".gitignore") await rm(uploads.at(".gitignore"), { force: true });
}

async function removeEmpty(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (!hasErrno(error, "ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR")) throw error;
  }
}

/** Anything but a folder of ours, or one gone with its directory, is left unchanged. */
async function quietly(remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!(error instanceof TmpmError)) throw error;
  }
}
