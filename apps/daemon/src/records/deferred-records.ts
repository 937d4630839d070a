import { createHash, randomBytes } from "node:crypto";
import { closeSync, constants, fsyncSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { currentUid, makePrivateDir, openOwnFile, readOwnFile } from "@tmpm/api/local";
import { SessionRecord, temporaryName } from "@tmpm/core";
import { writeAll } from "@tmpm/store";
import type { DeferredPlace, DeferredRecord } from "@tmpm/supervisor";
import * as z from "zod";
import { decoder } from "./decoder.js";

export interface DeferredRecordsOptions {
  /** Parent of the folders of temporary files. */
  readonly parent: string;
  /** The data folder whose disk is full or fails. */
  readonly home: string;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  /** Returns the number of bytes written, possibly fewer than given; `writeSync` when undefined. */
  readonly writeBytes?: (fd: number, bytes: Uint8Array) => number;
}

const Deferred = z.object({ home: z.string(), records: z.array(z.object({ record: SessionRecord, base: z.number().int() })) });
const decode = decoder(Deferred);
/** Above the number of sessions of any machine. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Keeps records that the data folder does not accept, in a private folder of temporary files, which are usually on another disk. */
export function deferredRecords({ parent, home, report, writeBytes = writeSync }: DeferredRecordsOptions): DeferredPlace {
  const folder = join(parent, `tmpm-${currentUid()}`);
  const file = `deferred-${createHash("sha256").update(home).digest("hex").slice(0, 16)}.json`;
  const path = join(folder, file);
  let isThere = true;

  function write(records: readonly DeferredRecord[]): void {
    makePrivateDir(folder, currentUid());
    const temporary = join(folder, temporaryName(file, { pid: process.pid, token: randomBytes(8).toString("hex") }));
    const fd = openOwnFile(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
    try {
      writeAll(fd, { calls: { write: writeBytes }, bytes: Buffer.from(JSON.stringify({ home, records }), "utf8") });
      fsyncSync(fd);
      renameSync(temporary, path);
    } finally {
      closeSync(fd);
      rmSync(temporary, { force: true });
    }
  }

  return {
    load() {
      try {
        const text = readOwnFile(path, { maxBytes: MAX_BYTES });
        isThere = text !== null;
        const kept = text === null ? null : decode(JSON.parse(text));
        return kept?.home === home ? kept.records : [];
      } catch (error) {
        report({ doing: `reading ${path}`, error });
        return [];
      }
    },
    save(records) {
      if (records.length === 0 && !isThere) return;
      try {
        if (records.length === 0) rmSync(path, { force: true });
        else write(records);
        isThere = records.length > 0;
      } catch (error) {
        report({ doing: `keeping records that ${home} does not accept`, error });
      }
    },
  };
}
