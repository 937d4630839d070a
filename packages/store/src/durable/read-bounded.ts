import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { errnoOf } from "@tmpm/core";
import { isShortage } from "./store-failure.js";

/** The largest document that is parsed or written, in bytes. */
export const MAX_DOCUMENT_BYTES = 1024 * 1024;

export type Content =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unreadable"; readonly reason: string }
  | { readonly kind: "absent" };

/** O_NONBLOCK: opening a FIFO without a writer would wait forever. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface Bound {
  readonly maxBytes: number;
}

/** The text of a regular file of at most `maxBytes`. Throws only when the machine ran short. */
export function readBounded(path: string, { maxBytes }: Bound = { maxBytes: MAX_DOCUMENT_BYTES }): Content {
  let fd: number;
  try {
    fd = openSync(path, FLAGS);
  } catch (error) {
    return contentOfError(error);
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return { kind: "unreadable", reason: "not a regular file" };
    if (stat.size > maxBytes) return tooLarge(maxBytes);
    return decodeBytes(readAll(fd, stat.size));
  } catch (error) {
    return contentOfError(error);
  } finally {
    closeSync(fd);
  }
}

/** Like `readBounded`, for a file that was just seen to be regular: in one call, if that suffices. */
export function readStated(path: string, { size }: { readonly size: bigint }): Content {
  if (size > MAX_DOCUMENT_BYTES) return tooLarge(MAX_DOCUMENT_BYTES);
  try {
    const text = readText(path);
    return text === null || text.length > MAX_DOCUMENT_BYTES ? readBounded(path) : { kind: "text", text };
  } catch (error) {
    return contentOfError(error);
  }
}

/** Node's replacement for bytes that are not UTF-8; a file may also contain it itself. */
const REPLACEMENT = "\ufffd";

/** Null when it may not be UTF-8. Node's types omit that it accepts flags as a number. */
function readText(path: string): string | null {
  const text: unknown = Reflect.apply(readFileSync, undefined, [path, { encoding: "utf8", flag: FLAGS }]);
  return typeof text === "string" && !text.includes(REPLACEMENT) ? text : null;
}

function tooLarge(maxBytes: number): Content {
  return { kind: "unreadable", reason: `larger than ${maxBytes} bytes` };
}

function contentOfError(error: unknown): Content {
  const errno = errnoOf(error);
  if (errno === null || isShortage(error)) throw error;
  if (errno === "ENOENT") return { kind: "absent" };
  if (errno === "ELOOP") return { kind: "unreadable", reason: "a symbolic link" };
  return { kind: "unreadable", reason: `cannot be read (${errno})` };
}

/** One byte more than the size is read, to detect a file that grows meanwhile. */
function readAll(fd: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const count = readSync(fd, buffer, length, buffer.length - length, length);
    length += count;
    if (count === 0 || length === buffer.length) return buffer.subarray(0, length);
  }
}

function decodeBytes(bytes: Buffer): Content {
  if (!isUtf8(bytes)) return { kind: "unreadable", reason: "not UTF-8" };
  return { kind: "text", text: bytes.toString("utf8") };
}
