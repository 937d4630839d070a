import { closeSync, fstatSync } from "node:fs";
import { currentUid, makePrivateDir } from "@tmpm/api/local";
import { TmpmError, timestampFromMs } from "@tmpm/core";
import { chainLine, digest, FIRST_PREV, readLine } from "./audit-chain.js";
import type { AuditBody, AuditEntry } from "./audit-entry.js";
import { type AuditCalls, auditFiles, currentFile, fullFile, nodeAuditCalls, removeOldest, tailOf, tailOfFile } from "./audit-files.js";

/** A tamper-evident log of requests and refusals. */
export interface AuditLog {
  /** On return the entry is written, or buffered until the disk accepts it. Never fails: an unwritable audit log stops no work. */
  append(body: AuditBody): void;
  /** Why buffered entries are not written; null when all are. */
  failure(): TmpmError | null;
  /** Retries writing buffered entries. */
  close(): void;
}

export interface AuditLogOptions {
  /** A dedicated folder. */
  readonly dir: string;
  /** Wall clock in milliseconds. */
  readonly clock: () => number;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  readonly calls?: AuditCalls;
  /** Maximum size of a file. */
  readonly maxBytes?: number;
  /** Number of full files kept. */
  readonly keep?: number;
  /** Maximum number of entries waiting for the disk; later ones are counted. */
  readonly maxWaiting?: number;
  readonly retryMs?: number;
}

interface Chain {
  readonly fd: number;
  readonly size: number;
  readonly seq: number;
  readonly prev: string;
  /** The file ends within a line. */
  readonly torn: boolean;
}

const DOING = "writing the audit log";

export function auditLog(options: AuditLogOptions): AuditLog {
  const { dir, clock, report, calls = nodeAuditCalls } = options;
  const { maxBytes = 8 * 1024 * 1024, keep = 8, maxWaiting = 10_000, retryMs = 1_000 } = options;
  const waiting: { readonly body: AuditBody; readonly atMs: number }[] = [];
  let chain: Chain | null = null;
  let lost = 0;
  let failure: TmpmError | null = null;
  let retry: NodeJS.Timeout | null = null;

  function write(): void {
    try {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        put(next);
        waiting.shift();
        if (waiting.length > 0 || lost === 0) continue;
        waiting.push({ body: { kind: "lost", count: lost }, atMs: clock() });
        lost = 0;
      }
      failure = null;
    } catch (error) {
      if (failure === null) report({ doing: DOING, error });
      failure = new TmpmError(
        "STORE_DEGRADED",
        `the audit log cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      );
      letGo();
      retry ??= setTimeout(tryAgain, retryMs).unref();
    }
  }

  function tryAgain(): void {
    retry = null;
    write();
  }

  function put({ body, atMs }: (typeof waiting)[number]): void {
    chain = chain === null || fstatSync(chain.fd).nlink === 0 ? takeUp() : chain;
    if (chain.size >= maxBytes) chain = rotate(chain);
    const entry: AuditEntry = { seq: chain.seq + 1, at: timestampFromMs(atMs), ...body, ...(chain.torn ? { torn: true } : {}) };
    const line = chainLine(entry, chain.prev);
    const bytes = Buffer.from(`${chain.torn ? "\n" : ""}${line}\n`);
    writeAll(chain, bytes);
    chain = { ...chain, size: chain.size + bytes.length, seq: entry.seq, prev: digest(line), torn: false };
  }

  /** A partial write is rolled back; if that fails too, the next line marks the previous one as incomplete. */
  function writeAll({ fd, size }: Chain, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      try {
        const count = calls.write(fd, bytes.subarray(done));
        if (count === 0) throw new Error("the disk does not accept data");
        done += count;
      } catch (error) {
        if (done > 0) calls.truncate(fd, size);
        throw error;
      }
    }
  }

  function takeUp(): Chain {
    letGo();
    makePrivateDir(dir, currentUid());
    const before = auditFiles(dir)
      .filter((path) => path !== currentFile(dir))
      .at(-1);
    const fd = calls.open(currentFile(dir));
    const tail = tailOf(fd);
    const { lines } = tail.size === 0 && before !== undefined ? tailOfFile(before) : tail;
    const last = tail.rest === "" ? lines.at(-1) : tail.rest;
    const seq = lines.map(readLine).findLast((entry) => entry !== null)?.seq ?? 0;
    const prev = last === undefined ? FIRST_PREV : digest(Buffer.from(last, "latin1"));
    return { fd, size: tail.size, seq, prev, torn: tail.rest !== "" };
  }

  function rotate({ fd, seq, prev, torn }: Chain): Chain {
    calls.rename(currentFile(dir), fullFile(dir, seq));
    closeSync(fd);
    chain = null;
    removeOldest(dir, keep);
    return { fd: calls.open(currentFile(dir)), size: 0, seq, prev, torn };
  }

  function letGo(): void {
    if (chain !== null) closeSync(chain.fd);
    chain = null;
  }

  return {
    append(body) {
      if (waiting.length >= maxWaiting) lost += 1;
      else waiting.push({ body, atMs: clock() });
      if (retry === null) write();
    },
    failure: () => failure,
    close() {
      if (retry !== null) clearTimeout(retry);
      retry = null;
      write();
      if (retry !== null) clearTimeout(retry);
      letGo();
    },
  };
}
