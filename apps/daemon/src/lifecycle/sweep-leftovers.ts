import { type Dirent, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryOwner } from "@tmpm/core";

export interface SweepOptions {
  /** The data folder, locked by this process. */
  readonly home: string;
  /** Wall clock in milliseconds. */
  readonly now: () => number;
  readonly isRunning: (pid: number) => boolean;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

/** Workspaces belong to sessions, not to the daemon. */
const THEIRS: ReadonlySet<string> = new Set(["workspaces", "trash"]);
/** Other processes also write here: users of the record store, and the command line. */
const SHARED: ReadonlySet<string> = new Set(["sessions", "run", "agents", "config"]);
/** Node writes missing files here again, but never removes those of an earlier version of tmpm or Node. */
const CACHES: ReadonlySet<string> = new Set(["compiled"]);
const CACHED_MS = 30 * 24 * 3_600_000;
/** Longer than a running process takes to finish a file. */
const OLD_MS = 3_600_000;
/** Time after which an unclaimed launch file is never run. It contains its session's environment. */
const LAUNCH_MS = 60_000;

/**
 * Removes temporary files of killed daemons. Call it before any write: under the folder's lock, every temporary file
 * that only daemons create is stale, even if its process id is reused. Failures are reported.
 */
export function sweepLeftovers(options: SweepOptions): void {
  sweep(options.home, { ...options, shared: true, cache: false });
  for (const { name } of foldersIn(options.home))
    if (!THEIRS.has(name)) descend(join(options.home, name), { ...options, shared: SHARED.has(name), cache: CACHES.has(name) });
}

interface Sweeping extends SweepOptions {
  readonly shared: boolean;
  readonly cache: boolean;
}

function descend(folder: string, sweeping: Sweeping): void {
  sweep(folder, sweeping);
  for (const { name } of foldersIn(folder)) descend(join(folder, name), sweeping);
}

function sweep(folder: string, sweeping: Sweeping): void {
  for (const entry of entriesIn(folder)) {
    const path = join(folder, entry.name);
    try {
      if (!entry.isDirectory() && isLeft(path, { name: entry.name, sweeping })) rmSync(path, { force: true });
    } catch (error) {
      sweeping.report({ doing: `removing ${path}, left by a killed daemon`, error });
    }
  }
}

function isLeft(path: string, { name, sweeping }: { readonly name: string; readonly sweeping: Sweeping }): boolean {
  const { shared, cache, now, isRunning } = sweeping;
  if (cache) return ageOf(path, now) > CACHED_MS;
  const owner = temporaryOwner(name);
  if (owner !== null) return !shared || !isRunning(owner) || ageOf(path, now) > OLD_MS;
  return /^(?:launch|text)-[0-9a-f]{16,}/.test(name) && ageOf(path, now) > LAUNCH_MS;
}

function ageOf(path: string, now: () => number): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 0 : now() - stat.mtimeMs;
}

function foldersIn(folder: string): readonly Dirent[] {
  return entriesIn(folder).filter((entry) => entry.isDirectory());
}

/** An unreadable folder is reported by its user. */
function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}
