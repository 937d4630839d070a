import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { hasErrno } from "@tmpm/core";
import { statOrNull } from "./stat-or-null.js";

/** The complete lines added to a file since the last read. An incomplete line is read again later. Synchronous: a thread per operation costs ten times as much for many small files. */
export interface LineReader {
  /** Null for a missing file. `restarted`: it is another file, or a shorter one, and its lines start from the beginning. */
  read(path: string): { readonly lines: readonly string[]; readonly restarted: boolean } | null;
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
    read(path) {
      if (place !== null && isUnchanged(path, place)) return { lines: [], restarted: false };
      const descriptor = openFile(path);
      if (descriptor === null) return null;
      try {
        const { dev, ino, size } = fstatSync(descriptor);
        const file = `${dev}:${ino}`;
        const restarted = place === null || place.file !== file || size < place.offset;
        const from = restarted ? 0 : (place?.offset ?? 0);
        const begin = Math.max(from, size - maxBytes);
        const bytes = Buffer.allocUnsafe(size - begin);
        const bytesRead = readSync(descriptor, bytes, 0, bytes.length, begin);
        const { lines, consumed } = completeLines(bytes.subarray(0, bytesRead), { torn: begin > from });
        place = { file, offset: begin + consumed };
        return { lines, restarted };
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

function isUnchanged(path: string, { file, offset }: Place): boolean {
  const seen = statOrNull(path);
  return seen !== null && seen.size === offset && `${seen.dev}:${seen.ino}` === file;
}

function openFile(path: string): number | null {
  try {
    return openSync(path, "r");
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
