import { closeSync, constants, existsSync, fstatSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as sleep } from "node:timers/promises";
import { openOwnFile } from "@tmpm/api/local";
import { tailLog } from "./daemon-log.js";

export interface FollowLogOptions {
  /** Number of last lines printed first. */
  readonly lines: number;
  readonly everyMs?: number;
}

const CHUNK_BYTES = 64 * 1024;

/** The last lines and all new ones, until the loop is left. A full log is truncated, and is then read from its beginning. */
export async function* followLog(path: string, { lines, everyMs = 200 }: FollowLogOptions): AsyncGenerator<string> {
  let from = existsSync(path) ? sizeOf(path) : 0;
  yield* tailLog(path, { from: 0, lines });
  const decoder = new StringDecoder("utf8");
  for (let rest = ""; ; await sleep(everyMs)) {
    if (!existsSync(path)) continue;
    if (sizeOf(path) < from) from = 0;
    for (let bytes = read(path, from); bytes.length > 0; bytes = read(path, from)) {
      from += bytes.length;
      const all = (rest + decoder.write(bytes)).split("\n");
      rest = all.pop() ?? "";
      yield* all.filter((line) => line !== "");
    }
  }
}

function read(path: string, from: number): Buffer {
  return opened(path, (fd) => {
    const bytes = Buffer.alloc(CHUNK_BYTES);
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
  });
}

function sizeOf(path: string): number {
  return opened(path, (fd) => fstatSync(fd).size);
}

function opened<T>(path: string, use: (fd: number) => T): T {
  const fd = openOwnFile(path, constants.O_RDONLY);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
