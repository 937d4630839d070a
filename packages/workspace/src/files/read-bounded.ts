import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { hasErrno } from "@tmpm/core";

/** The contents of a foreign file, or why it is not read. */
export type BoundedFile =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly reason: string };

/** Reads a repository's file: at most `maxBytes`, neither through a symbolic link nor from a file that could block. */
export async function readBounded(path: string, { maxBytes }: { readonly maxBytes: number }): Promise<BoundedFile> {
  try {
    // Without O_NONBLOCK, opening a pipe waits for its writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return await readOpened(file, maxBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return { kind: "missing" };
    if (hasErrno(error, "ELOOP")) return { kind: "refused", reason: "it is a symbolic link" };
    if (hasErrno(error, "EACCES", "ENXIO")) return { kind: "refused", reason: "it cannot be opened" };
    throw error;
  }
}

async function readOpened(file: FileHandle, maxBytes: number): Promise<BoundedFile> {
  if (!(await file.stat()).isFile()) return { kind: "refused", reason: "it is not a file" };
  const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0);
  return bytesRead > maxBytes
    ? { kind: "refused", reason: `it is larger than ${maxBytes} bytes` }
    : { kind: "read", bytes: buffer.subarray(0, bytesRead) };
}
