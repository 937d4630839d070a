import { type Dirent, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryOwner } from "@tmpm/core";

export interface SweepOptions {
  /** The data folder, whose lock this process has. */
  readonly home: string;
  /** Wall clock in milliseconds. */
  readonly now: () => number;
  readonly isRunning: (pid: number) => boolean;
  readonly report: (fault: { readonly doing: string; readonly error: unknown }) => void;
}

/** What sessions work in is theirs. */
const THEIRS: ReadonlySet<string> = new Set(["workspaces", "trash"]);
/** Other processes write here too: programs that use the record store, and the command line. */
const SHARED: ReadonlySet<string> = new Set(["sessions", "run", "agents", "config"]);
/** No file of a running process is unfinished for so long. */
const OLD_MS = 3_600_000;
/** A launch file that no shell has claimed by then is never run. It holds the environment of its session. */
const LAUNCH_MS = 60_000;

/**
 * Removes what earlier daemons were writing when they were killed. To be called before anything is written: with the lock of the folder, every temporary file
 * that only a daemon makes is a dead one's, whoever has its process id now. What cannot be removed is reported.
 */
export function sweepLeftovers(options: SweepOptions): void {
  sweep(options.home, { ...options, shared: true });
  for (const { name } of foldersIn(options.home))
    if (!THEIRS.has(name)) descend(join(options.home, name), { ...options, shared: SHARED.has(name) });
}

interface Sweeping extends SweepOptions {
  readonly shared: boolean;
}

function descend(folder: string, sweeping: Sweeping): void {
  sweep(folder, sweeping);
  for (const { name } of foldersIn(folder)) descend(join(folder, name), sweeping);
}

function sweep(folder: string, sweeping: Sweeping): void {
  for (const entry of entriesIn(folder)) {
    const path = join(folder, entry.name);
    try {
      if (isLeft(path, { name: entry.name, sweeping })) rmSync(path, { force: true });
    } catch (error) {
      sweeping.report({ doing: `removing ${path}, which a daemon left that was killed`, error });
    }
  }
}

function isLeft(path: string, { name, sweeping }: { readonly name: string; readonly sweeping: Sweeping }): boolean {
  const { shared, now, isRunning } = sweeping;
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

/** A folder that cannot be read is named by the part that needs it. */
function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}
