import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { ReadFile } from "@tmpm/core";
import { statOrNull } from "../files/stat-or-null.js";

type Place = Pick<ReadFile, "file" | "offset" | "torn">;

export interface GrownLines {
  readonly lines: readonly string[];
  readonly place: Place;
  /** Bytes of a long file that were there when it was first seen, and are skipped. */
  readonly skipped: number;
  readonly more: boolean;
}

export interface GrownOptions {
  /** Maximum read at once; the daemon is blocked in the meantime. */
  readonly chunk?: number;
  /** Maximum read from the end of a file seen for the first time. */
  readonly first?: number;
}

const CHUNK = 1024 * 1024;
const FIRST = 16 * 1024 * 1024;
const LF = 10;

/**
 * The whole lines added to a file since it was read up to `place`; null for a missing or unchanged file. Another file under the same name,
 * and a shorter one, is read from its beginning. Synchronous: checking a local file takes less time than handing it to a thread.
 */
export function grownLines(path: string, place: Place | null, options: GrownOptions = {}): GrownLines | null {
  const { chunk = CHUNK, first = FIRST } = options;
  const seen = statOrNull(path);
  if (seen === null || (place !== null && seen.size === place.offset && `${seen.dev}:${seen.ino}` === place.file)) return null;
  const descriptor = openSync(path, "r");
  try {
    const { dev, ino, size } = fstatSync(descriptor);
    const file = `${dev}:${ino}`;
    const known = place !== null && place.file === file && size >= place.offset ? place : null;
    const skipped = place === null ? Math.max(0, size - first) : 0;
    const from = known ?? { offset: skipped, torn: skipped > 0 };
    const bytes = Buffer.allocUnsafe(Math.min(chunk, size - from.offset));
    const read = readSync(descriptor, bytes, 0, bytes.length, from.offset);
    const { lines, consumed, torn } = wholeLines(bytes.subarray(0, read), { torn: from.torn, full: read === chunk });
    const offset = from.offset + consumed;
    return { lines, place: { file, offset, torn }, skipped, more: consumed > 0 && offset < size };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * `torn`: the bytes begin within a line, which is skipped. `full`: no more could be read at once, so a line without an end is longer than
 * that.
 */
function wholeLines(bytes: Buffer, { torn, full }: { readonly torn: boolean; readonly full: boolean }) {
  const begin = torn ? bytes.indexOf(LF) + 1 : 0;
  const end = bytes.lastIndexOf(LF) + 1;
  if (torn && begin === 0) return { lines: [], consumed: bytes.length, torn: true };
  if (end === 0) return { lines: [], consumed: full ? bytes.length : 0, torn: full };
  const lines = end > begin ? bytes.toString("utf8", begin, end - 1).split("\n") : [];
  return { lines, consumed: end, torn: false };
}
