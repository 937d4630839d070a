import { dirname } from "node:path";
import type { TmpmError } from "@tmpm/core";
import { type Catalog, catalog } from "./catalog.js";
import { errnoOf, reloadFailure } from "./errno.js";
import { type FolderPlace, type Look, lookAt, type RecordFile } from "./record-file.js";
import { knownWith, NOTHING_KNOWN, scan } from "./scan.js";
import type { Health } from "./store.js";

/** The records under a folder, reloaded when anyone changed them. */
export interface DirectoryReader {
  readonly catalog: Catalog<RecordFile>;
  /**
   * Afterwards the catalog has every change that was made before the call; or it is as it was, and the health is degraded.
   * @throws STORE_DEGRADED when it fails and nothing was ever loaded
   */
  reload(): void;
  /** Like `reload`, for one who needs no answer now: any failure shows in the health. */
  tryReload(): void;
  /** What stands for an id now. Costs one stat when that is a record that did not change. @throws as `reload` */
  current(id: string): RecordFile | null;
  /** Takes over what this process just did to files, then looks whether anyone did more. */
  wrote(changes: { readonly puts: readonly RecordFile[]; readonly drops: readonly string[] }): void;
  health(): Health;
  /** The folders that hold records, the base first. */
  folders(): readonly string[];
}

export interface ReaderOptions {
  readonly base: string;
  /** Wall clock in milliseconds. */
  readonly clock: () => number;
}

export function directoryReader({ base, clock }: ReaderOptions): DirectoryReader {
  const files = catalog<RecordFile>();
  let known = NOTHING_KNOWN;
  let loaded = false;
  let failure: TmpmError | null = null;

  function reload(): void {
    tryReload();
    if (failure !== null && !loaded) throw failure;
  }

  function tryReload(): void {
    try {
      const { known: now, ...changes } = scan(base, { known, byPath: files.byPath, nowMs: clock() });
      known = now;
      files.apply(changes);
      loaded = true;
      failure = null;
    } catch (error) {
      failure = reloadFailure(error, base);
      if (failure === null) throw error;
    }
  }

  /** False when only a reload can tell. */
  function refresh(file: RecordFile): boolean {
    const before = files.byPath(file.path);
    const now = lookOrNull({ ...file, path: dirname(file.path) }, { id: file.id, known: before, nowMs: clock() });
    if (now === null) return false;
    if (now !== before) files.apply({ puts: [now], drops: [] });
    return now.entry.kind === "session";
  }

  function remember(file: RecordFile): boolean {
    const now = knownWith(known, file);
    known = now ?? known;
    return now !== null;
  }

  return {
    catalog: files,
    reload,
    tryReload,
    current(id) {
      const [first] = files.byId(id);
      if (failure !== null || first === undefined || !refresh(first)) reload();
      return files.byId(id)[0] ?? null;
    },
    wrote(changes) {
      const remembered = changes.puts.every((file) => files.byPath(file.path) !== undefined || remember(file));
      files.apply(changes);
      if (!remembered || !changes.puts.every(refresh)) reload();
    },
    health: () => (failure === null ? { state: "ok" } : { state: "degraded", error: failure }),
    folders: () => [base, ...known.folders.keys()],
  };
}

/** A failure is left to the reload that follows, which reports it. */
function lookOrNull(folder: FolderPlace, look: Look): RecordFile | null {
  try {
    return lookAt(folder, look);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}
