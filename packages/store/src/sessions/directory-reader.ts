import { errnoOf, type TmpmError } from "@tmpm/core";
import { reloadFailure } from "../durable/store-failure.js";
import { unsettledFiles } from "../durable/unsettled-files.js";
import type { Health } from "../store.js";
import { type Catalog, type Changes, catalog } from "./catalog.js";
import { folderMarks } from "./folder-marks.js";
import { type FilePlace, type Look, lookAt, type RecordFile } from "./record-file.js";
import { type KnownFolder, type KnownFolders, knownWith, NOTHING_KNOWN, type ScanOptions, scan } from "./scan.js";

/** Checking fewer files takes no longer than querying the kernel for events. */
const WORTH_FOLLOWING = 64;

/** The records under a folder, reloaded on changes by any process. */
export interface DirectoryReader {
  readonly catalog: Catalog<RecordFile>;
  /**
   * Updates the catalog with every change made before the call; on failure it stays unchanged, and the health is degraded.
   * @throws STORE_DEGRADED on failure before the first load
   */
  reload(): void;
  /** Like `reload`, but checks only reported files where the kernel reports changes. */
  read(): Promise<void>;
  /** Like `read`, without a result: changes about to be reported by the kernel may be missing, and a failure only shows in the health. */
  tryReload(): void;
  /** The current entry of an id. Costs one stat for an unchanged record. @throws like `reload` */
  current(id: string): RecordFile | null;
  /** Adds this process's own changes to files. Changes by others are found at the next look. */
  wrote(changes: Changes<RecordFile>): void;
  health(): Health;
  /** The folders with records, the base first. */
  folders(): readonly string[];
  /** The kernel no longer reports changes. */
  close(): void;
}

export interface ReaderOptions {
  readonly base: string;
  /** Wall clock in milliseconds. */
  readonly clock: () => number;
  /** How often every file is checked, regardless of the kernel's reports, in milliseconds. */
  readonly sweepMs: number;
}

export function directoryReader({ base, clock, sweepMs }: ReaderOptions): DirectoryReader {
  const files = catalog<RecordFile>();
  const unsettled = unsettledFiles();
  const marks = folderMarks({ clock, sweepMs });
  let known = NOTHING_KNOWN;
  let loaded = false;
  let failure: TmpmError | null = null;

  /** After a failure everything is checked. */
  function attempt(idsIn: IdsIn): void {
    try {
      const some = failure === null ? idsIn : ALL;
      const first = scan(base, { known, byPath: files.byPath, idsIn: some, nowMs: clock() });
      // A missing record may have moved into a folder that was checked before.
      const rest = first.drops.length === 0 ? null : scan(base, { known: first.known, byPath: files.byPath, idsIn: NONE, nowMs: clock() });
      known = rest?.known ?? first.known;
      apply({ puts: [...first.puts, ...(rest?.puts ?? [])], drops: [...first.drops, ...(rest?.drops ?? [])] });
      loaded = true;
      failure = null;
    } catch (error) {
      marks.forget();
      failure = reloadFailure(error, base);
      if (failure === null) throw error;
    }
  }

  function apply(changes: Changes<RecordFile>): void {
    unsettled.apply(changes);
    files.apply(changes);
  }

  function look(idsIn: IdsIn): void {
    attempt(idsIn);
    if (failure !== null && !loaded) throw failure;
  }

  function markedIn(folder: KnownFolder): Iterable<string> | null {
    const marked = marks.take(folder);
    return marked === null ? null : new Set([...marked, ...unsettled.in(folder.path)]);
  }

  /** False when the folders must be checked. */
  function refresh(file: RecordFile): boolean {
    const before = files.byPath(file.path);
    const now = lookOrNull(file, { known: before, nowMs: clock() });
    if (now === null) return false;
    if (now !== before) apply({ puts: [now], drops: [] });
    return now.entry.kind === "session";
  }

  function remember(file: RecordFile): boolean {
    const now = knownWith(known, file);
    known = now ?? known;
    return now !== null;
  }

  return {
    catalog: files,
    reload: () => look(ALL),
    async read() {
      if (loaded && countFiles(known) >= WORTH_FOLLOWING) marks.follow([...known.folders.values()]);
      await marks.settle();
      look(markedIn);
    },
    tryReload: () => attempt(markedIn),
    current(id) {
      const [first] = files.byId(id);
      if (failure !== null || first === undefined || !refresh(first)) look(() => [id]);
      return files.byId(id)[0] ?? null;
    },
    wrote(changes) {
      const remembered = changes.puts.every((file) => files.byPath(file.path) !== undefined || remember(file));
      apply(changes);
      if (!remembered) look(() => []);
    },
    health: () => (failure === null ? { state: "ok" } : { state: "degraded", error: failure }),
    folders: () => [base, ...known.folders.keys()],
    close: marks.stop,
  };
}

type IdsIn = NonNullable<ScanOptions["idsIn"]>;

const ALL: IdsIn = () => null;
const NONE: IdsIn = () => [];

function countFiles({ folders }: KnownFolders): number {
  return [...folders.values()].reduce((count, { names }) => count + names.length, 0);
}

/** The following reload reports a failure. */
function lookOrNull(file: FilePlace, look: Look): RecordFile | null {
  try {
    return lookAt(file, look);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}
