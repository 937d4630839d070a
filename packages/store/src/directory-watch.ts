import { type FSWatcher, statSync, watch } from "node:fs";
import type { DirectoryReader } from "./directory-reader.js";
import { errnoOf } from "./errno.js";
import type { Listener } from "./listeners.js";
import type { Subscription } from "./store.js";

export interface DirectoryWatch {
  subscribe(listener: Listener): Subscription;
  close(): void;
}

export interface WatchOptions {
  readonly reader: DirectoryReader;
  readonly sweepMs: number;
}

/** Several events of one change arrive within this time. */
const SETTLE_MS = 10;

/** How often to look while a folder cannot be watched: it is missing, or the machine has no more watches to give. */
const BLIND_SWEEP_MS = 1_000;

interface Watched {
  readonly watcher: FSWatcher;
  /** A watch stays with the folder that had the path when it began. */
  readonly ino: bigint | null;
}

/** Looks for changes when the file system tells of one, and now and then without being told. Runs only while somebody listens. */
export function directoryWatch({ reader, sweepMs }: WatchOptions): DirectoryWatch {
  const watchers = new Map<string, Watched>();
  let settle: NodeJS.Timeout | null = null;
  let sweep: NodeJS.Timeout | null = null;
  let listening = 0;

  function look(): void {
    settle = null;
    reader.tryReload();
    follow();
  }

  /** Watches each folder that is known now, in place of those known before. A change that came before its watch shows in one more look. */
  function follow(): void {
    const wanted = reader.folders();
    for (const [path, watched] of watchers) if (!wanted.includes(path) || watched.ino !== inodeOf(path)) forget(path, watched);
    const added = wanted.filter((path) => !watchers.has(path) && watchFolder(path));
    if (added.length > 0) changed();
    if (sweep !== null) clearTimeout(sweep);
    sweep = setTimeout(look, watchers.size < wanted.length ? Math.min(sweepMs, BLIND_SWEEP_MS) : sweepMs);
  }

  function watchFolder(path: string): boolean {
    try {
      const watched = { watcher: watch(path, changed), ino: inodeOf(path) };
      watched.watcher.on("error", () => forget(path, watched));
      watchers.set(path, watched);
      return true;
    } catch (error) {
      if (errnoOf(error) === null) throw error;
      return false;
    }
  }

  function forget(path: string, watched: Watched): void {
    watched.watcher.close();
    if (watchers.get(path) === watched) watchers.delete(path);
  }

  function changed(): void {
    settle ??= setTimeout(look, SETTLE_MS);
  }

  function stop(): void {
    for (const [path, watched] of watchers) forget(path, watched);
    for (const timer of [settle, sweep]) if (timer !== null) clearTimeout(timer);
    settle = null;
    sweep = null;
  }

  return {
    subscribe(listener) {
      if (listening++ === 0) look();
      const subscription = reader.catalog.listeners.add(listener);
      let open = true;
      return {
        close() {
          if (!open) return;
          open = false;
          subscription.close();
          if (--listening === 0) stop();
        },
      };
    },
    close() {
      reader.catalog.listeners.clear();
      stop();
    },
  };
}

/** Null when it cannot be told. */
function inodeOf(path: string): bigint | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}
