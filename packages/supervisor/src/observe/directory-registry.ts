import type { Ports } from "../context.js";
import { systemAlarm, within } from "../deadline.js";

/** The directories that were missing at the last check. */
export interface DirectoryRegistry {
  /** Never waits: false until it was checked, and while unknown. */
  isGone(path: string): boolean;
  /** It was there a moment ago. */
  found(path: string): void;
  /** Checks directories that were not checked for a while. One that does not respond soon keeps its last state. */
  refresh(paths: Iterable<string>): Promise<void>;
}

const FRESH_MS = 2_000;
/** A response about sessions does not wait for a disk. */
const PATIENCE_MS = 250;
/** Entries unused for this time are dropped. */
const KEEP_MS = 60 * 60_000;

/** Without `examinePath` no directory is ever known to be gone. */
export function directoryRegistry({
  examinePath,
  alarm = systemAlarm,
  clock,
  report,
}: Pick<Ports, "clock" | "report" | "examinePath" | "alarm">): DirectoryRegistry {
  const known = new Map<string, { readonly gone: boolean; readonly atMs: number }>();

  async function look(path: string): Promise<void> {
    if (examinePath === undefined) return;
    const atMs = clock.now();
    known.set(path, { gone: known.get(path)?.gone ?? false, atMs });
    try {
      const looking = examinePath(path).then(({ kind }) => {
        if (kind !== "unreadable") known.set(path, { gone: kind === "missing", atMs });
      });
      await within({ alarm, ms: PATIENCE_MS, doing: `looking at ${path}`, effect: "none" }, () => looking);
    } catch (error) {
      report({ doing: `looking at ${path}`, error });
    }
  }

  return {
    isGone: (path) => known.get(path)?.gone ?? false,
    found: (path) => void known.set(path, { gone: false, atMs: clock.now() }),
    async refresh(paths) {
      const now = clock.now();
      for (const [path, { atMs }] of known) if (now - atMs > KEEP_MS) known.delete(path);
      const due = [...new Set(paths)].filter((path) => now - (known.get(path)?.atMs ?? Number.NEGATIVE_INFINITY) >= FRESH_MS);
      await Promise.all(due.map(look));
    },
  };
}
