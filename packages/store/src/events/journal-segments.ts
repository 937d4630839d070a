import { TmpmError } from "@tmpm/core";
import type { JournalEntry, JournalLimits, ReadFrom } from "./journal.js";
import type { JournalCalls } from "./journal-calls.js";
import type { Window } from "./journal-lines.js";
import {
  type ActiveSegment,
  openSegment,
  readSegment,
  readWindow,
  type Segment,
  segmentPath,
  segmentsIn,
  type WrittenEntries,
  withAppended,
} from "./journal-segment.js";

export interface SegmentsOptions extends Required<JournalLimits> {
  readonly dir: string;
  readonly calls: JournalCalls;
}

/** The segments of a journal's folder. Errors are those of the file system. */
export interface Segments {
  active(): ActiveSegment;
  /** The number of the next event. */
  next(): number;
  /** The number of the oldest event kept; `next` when empty. */
  oldest(): number;
  /** Begins a new segment when the active one is old or lacks room for `bytes` more, and drops expired ones. */
  makeRoom(bytes: number): Promise<void>;
  /** Records a durable append to the active segment. */
  appended(appended: WrittenEntries): void;
  /** The entries after a number; null for an expired or unassigned one. */
  read(from: ReadFrom): readonly JournalEntry[] | null;
}

/** Number of parts in which a journal is dropped. */
const PARTS = 8;
/** A segment may exceed its size by one event, which may be as large as a segment. */
const UNUSUAL = 4;

/** Size of a journal's part, and so of its largest event, in bytes. */
export function segmentBytes({ maxBytes }: Pick<SegmentsOptions, "maxBytes">): number {
  return Math.floor(maxBytes / PARTS);
}

export async function openSegments(options: SegmentsOptions): Promise<Segments> {
  const { dir, calls, clock, maxAgeMs } = options;
  const found = segmentsIn(dir);
  requireUsualSize(found.at(-1), options);
  let sealed = found.slice(0, -1);
  let active = await openSegment(found.at(-1) ?? begun(dir, { first: 1, startedMs: clock() }), calls);
  const read = segmentReader(calls);

  const next = () => active.segment.first + active.count;
  const oldest = () => (sealed[0] ?? active.segment).first;

  async function rotate(startedMs: number): Promise<void> {
    const following = await openSegment(begun(dir, { first: next(), startedMs }), calls);
    calls.close(active.fd);
    sealed = [...sealed, active.segment];
    active = following;
  }

  return {
    active: () => active,
    next,
    oldest,
    async makeRoom(bytes) {
      const { segment } = active;
      const now = clock();
      const full = segment.bytes + bytes > segmentBytes(options) || now - segment.startedMs >= maxAgeMs / PARTS;
      if (segment.bytes > 0 && full) await rotate(now);
      const dropped = droppable([...sealed, active.segment], options);
      for (const { path } of dropped) calls.unlink(path);
      sealed = sealed.slice(dropped.length);
    },
    appended(appended) {
      active = withAppended(active, appended);
    },
    read({ after, limit }) {
      const all = [...sealed, active.segment];
      if (after >= next() || after < oldest() - 1) return null;
      const entries: JournalEntry[] = [];
      for (const [index, segment] of all.entries()) {
        const following = all[index + 1];
        if (entries.length >= limit || (following !== undefined && following.first <= after + 1)) continue;
        const wanted = { from: after + 1 + entries.length, limit: limit - entries.length };
        const recentFrom = next() - active.recent.length;
        if (following === undefined && wanted.from >= recentFrom)
          entries.push(...fromNumber(active.recent, { ...wanted, first: recentFrom }));
        else entries.push(...read(segment, { ...wanted, next: following?.first ?? next() }));
      }
      return entries;
    },
  };
}

/** Parsing a file far larger than any segment of this journal would take minutes. */
function requireUsualSize(segment: Segment | undefined, options: SegmentsOptions): void {
  const most = UNUSUAL * segmentBytes(options);
  if (segment === undefined || segment.bytes <= most) return;
  throw new TmpmError("STORE_DEGRADED", `${segment.path} has ${segment.bytes} bytes; no file of the event journal has more than ${most}`, {
    hint: "Move it aside: the journal continues in a new file.",
    details: { path: segment.path },
  });
}

/** Segments at the beginning that exceed the size or age; never the last one. A segment's events are older than the next one. */
function droppable(segments: readonly Segment[], { maxBytes, maxAgeMs, clock }: SegmentsOptions): readonly Segment[] {
  const now = clock();
  let total = segments.slice(0, -1).reduce((sum, { bytes }) => sum + bytes, segmentBytes({ maxBytes }));
  let count = 0;
  for (const [index, { bytes }] of segments.slice(0, -1).entries()) {
    const endedMs = segments[index + 1]?.startedMs ?? now;
    if (total <= maxBytes && now - endedMs < maxAgeMs) break;
    total -= bytes;
    count++;
  }
  return segments.slice(0, count);
}

/** Reads segments up to a number: only the requested lines, or all when some of them are damaged. */
function segmentReader(calls: JournalCalls) {
  return (segment: Segment, { next, ...window }: Window & { readonly next: number }): readonly JournalEntry[] => {
    const numbers = { first: segment.first, next };
    const { from, limit } = window;
    const skip = Math.max(0, from - segment.first);
    return readWindow(segment, { calls, numbers, window }) ?? readSegment(segment, { calls, numbers }).slice(skip, skip + limit);
  };
}

function fromNumber(
  entries: readonly JournalEntry[],
  { first, from, limit }: Window & { readonly first: number },
): readonly JournalEntry[] {
  const skip = Math.max(0, from - first);
  return entries.slice(skip, skip + limit);
}

function begun(dir: string, start: Pick<Segment, "first" | "startedMs">): Segment {
  return { ...start, path: segmentPath(dir, start), bytes: 0 };
}
