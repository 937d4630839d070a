import { open } from "node:fs/promises";
import { hasErrno } from "@tmpm/core";

/** The complete lines added to a file since the last read. An incomplete line is read again later. */
export interface LineReader {
  /** Null for a missing file. `restarted`: it is another file, or a shorter one, and its lines start from the beginning. */
  read(path: string): Promise<{ readonly lines: readonly string[]; readonly restarted: boolean } | null>;
}

/** The most read at once: only the end of a longer file. */
const MAX_BYTES = 16 * 1024 * 1024;
const LF = 10;

interface Place {
  readonly file: string;
  readonly offset: number;
}

export function lineReader(options: { readonly maxBytes?: number } = {}): LineReader {
  const maxBytes = options.maxBytes ?? MAX_BYTES;
  let place: Place | null = null;
  return {
    async read(path) {
      const handle = await openFile(path);
      if (handle === null) return null;
      try {
        const { dev, ino, size } = await handle.stat();
        const file = `${dev}:${ino}`;
        const restarted = place === null || place.file !== file || size < place.offset;
        const from = restarted ? 0 : (place?.offset ?? 0);
        const begin = Math.max(from, size - maxBytes);
        const bytes = Buffer.alloc(size - begin);
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, begin);
        const { lines, consumed } = completeLines(bytes.subarray(0, bytesRead), { torn: begin > from });
        place = { file, offset: begin + consumed };
        return { lines, restarted };
      } finally {
        await handle.close();
      }
    },
  };
}

async function openFile(path: string) {
  try {
    return await open(path, "r");
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** `torn`: the bytes begin within a line. */
function completeLines(bytes: Buffer, { torn }: { torn: boolean }): { lines: readonly string[]; consumed: number } {
  const first = torn ? bytes.indexOf(LF) + 1 : 0;
  const consumed = bytes.lastIndexOf(LF) + 1;
  if (consumed <= first) return { lines: [], consumed };
  return {
    lines: bytes
      .subarray(first, consumed - 1)
      .toString("utf8")
      .split("\n"),
    consumed,
  };
}

export function isMissing(error: unknown): boolean {
  return hasErrno(error, "ENOENT", "ENOTDIR");
}
