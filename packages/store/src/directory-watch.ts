import { type FSWatcher, watch } from "node:fs";
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

/** Looks for changes when the file system tells of one, and now and then without being told. Runs only while somebody listens. */
export function directoryWatch({ reader, sweepMs }: WatchOptions): DirectoryWatch {
  const watchers = new Map<string, FSWatcher>();
  let settle: NodeJS.Timeout | null = null;
  let sweep: NodeJS.Timeout | null = null;
  let listening = 0;

  function look(): void {
    settle = null;
    reader.tryReload();
    follow();
  }

  /** Watches each folder that is known now, in place of those known before. */
  function follow(): void {
    const wanted = new Set(reader.folders());
    for (const [path, watcher] of watchers) if (!wanted.has(path)) forget(path, watcher);
    for (const path of wanted) if (!watchers.has(path)) watchFolder(path);
    if (sweep !== null) clearTimeout(sweep);
    sweep = setTimeout(look, watchers.size < wanted.size ? Math.min(sweepMs, BLIND_SWEEP_MS) : sweepMs);
  }

  function watchFolder(path: string): void {
    try {
      const watcher = watch(path, changed);
      watcher.on("error", () => forget(path, watcher));
      watchers.set(path, watcher);
    } catch (error) {
      if (errnoOf(error) === null) throw error;
    }
  }

  function forget(path: string, watcher: FSWatcher): void {
    watcher.close();
    if (watchers.get(path) === watcher) watchers.delete(path);
  }

  function changed(): void {
    settle ??= setTimeout(look, SETTLE_MS);
  }

  function stop(): void {
    for (const [path, watcher] of watchers) forget(path, watcher);
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
