import { randomBytes } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { temporaryName } from "@tmpm/core/temporary-name";

export interface Probed {
  /** Time until it was on disk, in ms. */
  readonly ms: number;
  /** The file's modification time according to the disk's clock, in milliseconds since 1970. */
  readonly writtenMs: number;
}

const CONTENT = Buffer.alloc(4096, "tmpm\n");

/** Writes a file durably to the folder, reads it back and removes it. @throws the system's error; RangeError if the bytes differ */
export async function probeFile(folder: string): Promise<Probed> {
  // Named like the store's own, so that a leftover is cleaned up with those.
  const path = join(folder, temporaryName("doctor", { pid: process.pid, token: randomBytes(8).toString("hex") }));
  const begunMs = performance.now();
  const file = await open(path, "wx+", 0o600);
  try {
    await file.write(CONTENT);
    await file.sync();
    const ms = performance.now() - begunMs;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CONTENT.length), 0, CONTENT.length, 0);
    if (bytesRead !== CONTENT.length || !buffer.equals(CONTENT)) throw new RangeError("the bytes read differ from those written");
    return { ms, writtenMs: (await file.stat()).mtimeMs };
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
