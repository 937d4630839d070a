import { nodeWriteCalls, type WriteCalls } from "../../src/durable/write-durably.js";

/** A request to a store, and the values it may return for the session during and after it: `outcomeOf` an entry, or `ABSENT`. */
export interface Change {
  readonly id: string;
  readonly outcome: string;
}

export const ABSENT = "absent";

/** One operation, in order. Files are numbered in the order of their creation. */
export type Operation =
  | { readonly type: "mkdir" | "unlink" | "sync-folder"; readonly path: string }
  | { readonly type: "create" | "truncate"; readonly path: string; readonly file: number }
  | { readonly type: "write"; readonly file: number; readonly bytes: Buffer }
  | { readonly type: "sync"; readonly file: number }
  | { readonly type: "rename"; readonly from: string; readonly to: string }
  | { readonly type: "begin" | "acknowledge"; readonly change: Change };

export interface Recorder {
  /** The real calls, which record their operations. */
  readonly calls: WriteCalls;
  readonly log: readonly Operation[];
  /** Runs a change of a session, and returns its outcome. */
  change(id: string, task: () => Promise<string>): Promise<void>;
}

/** Bytes written at a time, so that a process can die between two writes. */
const WRITE_BYTES = 1_000;

export function recorder(): Recorder {
  const log: Operation[] = [];
  const open = new Map<number, { readonly file: number } | { readonly folder: string }>();
  let files = 0;

  const calls: WriteCalls = {
    create(path) {
      const fd = nodeWriteCalls.create(path);
      open.set(fd, { file: ++files });
      log.push({ type: "create", path, file: files });
      return fd;
    },
    write(fd, bytes) {
      const count = nodeWriteCalls.write(fd, bytes.subarray(0, WRITE_BYTES));
      const opened = open.get(fd);
      if (opened !== undefined && "file" in opened)
        log.push({ type: "write", file: opened.file, bytes: Buffer.from(bytes.subarray(0, count)) });
      return count;
    },
    mkdir(path) {
      nodeWriteCalls.mkdir(path);
      log.push({ type: "mkdir", path });
    },
    openFolder(path) {
      const fd = nodeWriteCalls.openFolder(path);
      open.set(fd, { folder: path });
      return fd;
    },
    async fsync(fd) {
      const opened = open.get(fd);
      await nodeWriteCalls.fsync(fd);
      if (opened !== undefined)
        log.push("file" in opened ? { type: "sync", file: opened.file } : { type: "sync-folder", path: opened.folder });
    },
    close(fd) {
      open.delete(fd);
      nodeWriteCalls.close(fd);
    },
    rename(from, to) {
      nodeWriteCalls.rename(from, to);
      log.push({ type: "rename", from, to });
    },
    unlink(path) {
      nodeWriteCalls.unlink(path);
      log.push({ type: "unlink", path });
    },
  };

  return {
    calls,
    log,
    async change(id, task) {
      const change = { id, outcome: "unknown" };
      log.push({ type: "begin", change });
      change.outcome = await task();
      log.push({ type: "acknowledge", change });
    },
  };
}
