import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { TmpmError } from "@tmpm/core/errors";

/** An open file, for `client.upload`. */
export interface FileBytes {
  readonly filename: string;
  /** Size when it was opened, in bytes; no further bytes are read. */
  readonly size: number;
  /** Readable once. */
  readonly bytes: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a file to upload. Regular files only: reading a pipe or a device may never end. @throws FILE_NOT_FOUND, INVALID_ARGUMENT */
export async function fileBytes(path: string, onProgress?: (bytes: number) => void): Promise<FileBytes> {
  const file = await openFile(path);
  const found = await file.stat();
  if (!found.isFile()) {
    await file.close();
    throw new TmpmError("INVALID_ARGUMENT", `${path} is not a file`, { details: { path } });
  }
  return {
    filename: basename(path),
    size: found.size,
    bytes: readWhole(file, { path, size: found.size, onProgress }),
    close: () => file.close(),
  };
}

/** Without O_NONBLOCK, opening a pipe blocks until it has a writer. */
async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && "syscall" in error)) throw error;
    if (error.code === "ENOENT") throw new TmpmError("FILE_NOT_FOUND", `the file ${path} does not exist`, { details: { path } });
    throw new TmpmError("INVALID_ARGUMENT", `cannot read ${path} (${String(error.code)})`, { details: { path } });
  }
}

interface Reading {
  readonly path: string;
  readonly size: number;
  readonly onProgress: ((bytes: number) => void) | undefined;
}

const CHUNK = 256 * 1024;

async function* readWhole(file: FileHandle, { path, size, onProgress }: Reading): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size; ) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size - position));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) throw new TmpmError("INVALID_ARGUMENT", `${path} became shorter while it was read`, { details: { path } });
    position += bytesRead;
    onProgress?.(position);
    yield buffer.subarray(0, bytesRead);
  }
}
