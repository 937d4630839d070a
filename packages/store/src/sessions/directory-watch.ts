import type { StoreEvent, Subscription } from "../store.js";
import type { DirectoryReader } from "./directory-reader.js";
import { folderWatchers } from "./folder-watchers.js";

export interface DirectoryWatch {
  subscribe(listener: (event: StoreEvent) => void): Subscription;
  close(): void;
}

export interface WatchOptions {
  readonly reader: Pick<DirectoryReader, "tryReload" | "folders"> & { readonly catalog: Pick<DirectoryReader["catalog"], "listeners"> };
  readonly sweepMs: number;
}

/** Several events of one change arrive within this time. */
const SETTLE_MS = 10;

/** Interval of looks while a folder cannot be watched: it is missing, or the machine has no watches left. */
const BLIND_SWEEP_MS = 1_000;

/** Looks for changes when the file system reports one, and periodically. Runs only while there are listeners. */
export function directoryWatch({ reader, sweepMs }: WatchOptions): DirectoryWatch {
  const watchers = folderWatchers(lookSoon);
  let settle: NodeJS.Timeout | null = null;
  let sweep: NodeJS.Timeout | null = null;
  let listening = 0;

  /** A change between a look and the watch of a new folder is found by one more look. */
  function look(): void {
    settle = null;
    reader.tryReload();
    const { added, complete } = watchers.follow(reader.folders());
    if (added) lookSoon();
    if (sweep !== null) clearTimeout(sweep);
    sweep = setTimeout(look, complete ? sweepMs : Math.min(sweepMs, BLIND_SWEEP_MS));
  }

  function lookSoon(): void {
    settle ??= setTimeout(look, SETTLE_MS);
  }

  function stop(): void {
    watchers.stop();
    for (const timer of [settle, sweep]) if (timer !== null) clearTimeout(timer);
    settle = null;
    sweep = null;
  }

  return {
    subscribe(listener) {
      if (listening++ === 0) look();
      const subscription = reader.catalog.listeners.add(listener, { type: "look" });
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
