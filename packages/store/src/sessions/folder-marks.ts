import { type FSWatcher, statfsSync, watch } from "node:fs";
import { basename } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { errnoOf } from "@tmpm/core";
import { statOf } from "../durable/file-identity.js";
import { RECORD_SUFFIX } from "./record-file.js";
import type { KnownFolder } from "./scan.js";

/** Records that may have changed in some folders, as the kernel reports, so that the others need no check. */
export interface FolderMarks {
  /** Follows exactly these folders from now on, as far as possible. */
  follow(folders: readonly KnownFolder[]): void;
  /** Resolves when every change of a followed folder made before the call is marked. */
  settle(): Promise<void>;
  /** The ids that may have changed since the last call; null when any may have. */
  take(folder: KnownFolder): ReadonlySet<string> | null;
  /** After a failed look, whose marks are lost. */
  forget(): void;
  stop(): void;
}

export interface FolderMarksOptions {
  /** Wall clock in milliseconds. */
  readonly clock: () => number;
  /** How often any record may have changed, regardless of reports: some changes are never reported. */
  readonly sweepMs: number;
}

interface Followed {
  readonly watcher: FSWatcher;
  readonly ino: bigint;
  readonly marks: Set<string>;
  /** When everything was last checked; null for never. */
  sweptMs: number | null;
}

/** The kernel drops events beyond 16,384 unread ones, and Node does not report it. */
const MANY = 8_192;

/**
 * Works on Linux, whose kernel queues an event before the change returns, and on its local file systems, where no other machine changes
 * files.
 */
export function folderMarks({ clock, sweepMs }: FolderMarksOptions): FolderMarks {
  const all = new Map<string, Followed>();
  const refused = new Map<string, number>();
  let events = 0;

  function add(path: string): void {
    const before = statOf(path)?.ino;
    const watcher = tryWatch(path, (name) => mark(path, name));
    const after = statOf(path)?.ino;
    if (watcher === null || after === undefined || after !== before) {
      watcher?.close();
      refused.set(path, clock());
      return;
    }
    watcher.on("error", () => drop(path));
    all.set(path, { watcher, ino: after, marks: new Set(), sweptMs: null });
    refused.delete(path);
  }

  /** An event with the folder's own name concerns the folder itself: it may be gone or replaced. */
  function mark(path: string, name: string | null): void {
    events++;
    if (name === null || name === basename(path)) drop(path);
    else if (name.endsWith(RECORD_SUFFIX)) all.get(path)?.marks.add(name.slice(0, -RECORD_SUFFIX.length));
  }

  function drop(path: string): void {
    all.get(path)?.watcher.close();
    all.delete(path);
  }

  function isDue(sinceMs: number): boolean {
    return Math.abs(clock() - sinceMs) >= sweepMs;
  }

  function forget(): void {
    for (const followed of all.values()) followed.sweptMs = null;
  }

  return {
    follow(folders) {
      const wanted = new Set(folders.map(({ path }) => path));
      for (const path of all.keys()) if (!wanted.has(path)) drop(path);
      for (const path of wanted) if (!all.has(path) && isDue(refused.get(path) ?? Number.NEGATIVE_INFINITY)) add(path);
    },
    /** A poll of the event loop that began before the call may have missed the last events; the next one has not. */
    async settle() {
      if (all.size === 0) return;
      await turn();
      await turn();
      if (events >= MANY) forget();
      events = 0;
    },
    take({ path, identity }) {
      const followed = all.get(path);
      if (followed === undefined) return null;
      if (followed.ino !== identity.ino) {
        drop(path);
        return null;
      }
      const marks = new Set(followed.marks);
      followed.marks.clear();
      if (followed.sweptMs !== null && !isDue(followed.sweptMs)) return marks;
      followed.sweptMs = clock();
      return null;
    },
    forget,
    stop() {
      for (const path of all.keys()) drop(path);
    },
  };
}

function tryWatch(path: string, changed: (name: string | null) => void): FSWatcher | null {
  try {
    if (process.platform !== "linux" || !LOCAL.has(statfsSync(path).type)) return null;
    return watch(path, { persistent: false }, (_event, name) => changed(name));
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

/** Magic numbers of ext, xfs, btrfs, tmpfs, zfs, f2fs and bcachefs (statfs(2)). */
const LOCAL: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x2fc12fc1, 0xf2f52010, 0xca451a4e]);
