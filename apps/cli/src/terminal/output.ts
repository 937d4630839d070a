import { writeSync } from "node:fs";

/** Writes all of it. If the reader goes away, the output ends, not the command; returns false then. */
export function print(text: string | Uint8Array, fd: 1 | 2): boolean {
  let left = typeof text === "string" ? Buffer.from(text) : text;
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(fd, left));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : null;
      if (code === "EPIPE") return false;
      if (code !== "EAGAIN") throw error;
      // The reader of a non-blocking pipe is slower than the writer.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  return true;
}
