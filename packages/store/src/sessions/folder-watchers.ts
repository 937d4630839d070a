import { type FSWatcher, statSync, watch } from "node:fs";
import { errnoOf } from "@tmpm/core";

/** The file system's own watches of some folders. */
export interface FolderWatchers {
  /** Watches exactly these folders from now on. Some may have changed before their watch began; some cannot be watched now. */
  follow(paths: readonly string[]): { readonly added: boolean; readonly complete: boolean };
  stop(): void;
}

interface Watched {
  readonly watcher: FSWatcher;
  /** A watch stays with the folder that had the path when it began. */
  readonly ino: bigint | null;
}

export function folderWatchers(changed: () => void): FolderWatchers {
  const all = new Map<string, Watched>();

  function add(path: string): boolean {
    try {
      const watched = { watcher: watch(path, changed), ino: inodeOf(path) };
      watched.watcher.on("error", () => forget(path, watched));
      all.set(path, watched);
      return true;
    } catch (error) {
      if (errnoOf(error) === null) throw error;
      return false;
    }
  }

  function forget(path: string, watched: Watched): void {
    watched.watcher.close();
    if (all.get(path) === watched) all.delete(path);
  }

  return {
    follow(paths) {
      const wanted = new Set(paths);
      for (const [path, watched] of all) if (!wanted.has(path) || watched.ino !== inodeOf(path)) forget(path, watched);
      const added = paths.filter((path) => !all.has(path) && add(path));
      return { added: added.length > 0, complete: all.size === wanted.size };
    },
    stop() {
      for (const [path, watched] of all) forget(path, watched);
    },
  };
}

/** Null when it cannot be determined. */
function inodeOf(path: string): bigint | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}
