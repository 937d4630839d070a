import { existsSync, type FSWatcher, realpathSync, watch } from "node:fs";
import { basename, dirname } from "node:path";

export interface WatchFileOptions {
  readonly changed: () => void;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
  /** An editor makes several changes to a file at once. */
  readonly settleMs?: number;
}

/** Reports when a file is created, changed, replaced or removed, also through a symbolic link, and before its folders exist. Returns the function that ends it. */
export function watchFile(path: string, { changed, report, settleMs = 100 }: WatchFileOptions): () => void {
  let watchers: readonly FSWatcher[] = [];
  let timer: NodeJS.Timeout | null = null;
  let ended = false;

  function arm(): void {
    for (const watcher of watchers) watcher.close();
    watchers = ended ? [] : placesOf(path).flatMap(follow);
  }

  function follow({ folder, name, parent }: Place): readonly FSWatcher[] {
    try {
      const watcher = watch(folder, { persistent: false }, (_, found) => {
        // Its own name stands for the folder itself, which is gone.
        if (found === null || found === name || found === basename(folder)) settle();
      });
      watcher.on("error", (error) => report({ doing: `watching ${folder}`, error }));
      return [watcher];
    } catch (error) {
      // Gone meanwhile, or out of watchers: the file then takes effect at the next start.
      if (!(error instanceof Error && "code" in error)) throw error;
      // The parent of a home folder is often not readable.
      if (parent && (error.code === "EACCES" || error.code === "EPERM")) return [];
      report({ doing: `watching ${folder}`, error });
      return [];
    }
  }

  function settle(): void {
    timer ??= setTimeout(() => {
      timer = null;
      arm();
      changed();
    }, settleMs).unref();
  }

  arm();
  return () => {
    ended = true;
    if (timer !== null) clearTimeout(timer);
    arm();
  };
}

interface Place {
  readonly folder: string;
  /** The name to watch in it. */
  readonly name: string;
  /** It is watched only for a replaced folder. */
  readonly parent: boolean;
}

function placesOf(path: string): readonly Place[] {
  const nearby = [path, leadsTo(path)].map(nearest);
  // A folder may be replaced, and a link to it may lead elsewhere.
  const places = nearby.flatMap((place) => [place, { folder: dirname(place.folder), name: basename(place.folder), parent: true }]);
  return places.filter(({ folder, name }, index) => places.findIndex((other) => other.folder === folder && other.name === name) === index);
}

/** The folder of a path, or its nearest existing ancestor. */
function nearest(path: string): Place {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? { folder, name: basename(path), parent: false } : nearest(folder);
}

function leadsTo(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return path;
    throw error;
  }
}
