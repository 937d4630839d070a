import { errnoOf, type TmpmError } from "@tmpm/core";
import { reloadFailure } from "../durable/store-failure.js";
import { unsettledFiles } from "../durable/unsettled-files.js";
import type { Health } from "../store.js";
import { type Catalog, type Changes, catalog } from "./catalog.js";
import { folderMarks } from "./folder-marks.js";
import { type FilePlace, type Look, lookAt, type RecordFile } from "./record-file.js";
import { type Known, type KnownFolder, knownWith, NOTHING_KNOWN, type ScanOptions, scan } from "./scan.js";

/** Fewer files are checked as quickly as the kernel is asked for its events. */
const WORTH_FOLLOWING = 64;

/** The records under a folder, reloaded when anyone changed them. */
export interface DirectoryReader {
  readonly catalog: Catalog<RecordFile>;
  /**
   * Afterwards the catalog has every change that was made before the call; or it is as it was, and the health is degraded.
   * @throws STORE_DEGRADED when it fails and nothing was ever loaded
   */
  reload(): void;
  /** As `reload`, but where the kernel reports changes, only what it reported is checked. */
  read(): Promise<void>;
  /** As `read`, for one who needs no answer now: changes that the kernel is about to report may be missing, and any failure shows in the health. */
  tryReload(): void;
  /** What stands for an id now. Costs one stat when that is a record that did not change. @throws as `reload` */
  current(id: string): RecordFile | null;
  /** Takes over what this process just did to files. Whether anyone did more shows in the next look. */
  wrote(changes: Changes<RecordFile>): void;
  health(): Health;
  /** The folders that hold records, the base first. */
  folders(): readonly string[];
  /** The kernel no longer reports anything. */
  close(): void;
}

export interface ReaderOptions {
  readonly base: string;
  /** Wall clock in milliseconds. */
  readonly clock: () => number;
  /** How often every file is checked, whatever the kernel reports, in milliseconds. */
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
      // What is gone may have moved into a folder that was checked before.
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

  /** False when only a look into the folders can show it. */
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

function countFiles({ folders }: Known): number {
  return [...folders.values()].reduce((count, { names }) => count + names.length, 0);
}

/** A failure is left to the reload that follows, which reports it. */
function lookOrNull(file: FilePlace, look: Look): RecordFile | null {
  try {
    return lookAt(file, look);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}
