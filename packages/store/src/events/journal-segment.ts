import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { errnoOf } from "@tmpm/core";
import { statOf } from "../durable/file-identity.js";
import { isShortage } from "../durable/store-failure.js";
import { closeAfterFailure, syncFolder } from "../durable/write-durably.js";
import type { JournalEntry } from "./journal.js";
import type { JournalCalls } from "./journal-calls.js";
import { entriesIn, entriesOf, type Numbers, type Window, wholeLines } from "./journal-lines.js";

/** A file of events with increasing numbers. Its name keeps the number even after everything before it was dropped. */
export interface Segment {
  readonly path: string;
  /** The number of its first event, also while it is empty. */
  readonly first: number;
  /** When it was created: events in older segments are older. */
  readonly startedMs: number;
  readonly bytes: number;
}

const NAME = /^events-(\d{16})-(\d{13})\.jsonl$/;

export function segmentPath(dir: string, { first, startedMs }: Pick<Segment, "first" | "startedMs">): string {
  return join(dir, `events-${String(first).padStart(16, "0")}-${String(Math.max(0, Math.trunc(startedMs))).padStart(13, "0")}.jsonl`);
}

/** The segments of a folder, oldest first. */
export function segmentsIn(dir: string): readonly Segment[] {
  const segments = readdirSync(dir).flatMap((name) => {
    const match = NAME.exec(name);
    const path = join(dir, name);
    return match === null ? [] : [{ path, first: Number(match[1]), startedMs: Number(match[2]), bytes: Number(statOf(path)?.size ?? 0) }];
  });
  return segments.sort((a, b) => a.first - b.first || a.startedMs - b.startedMs);
}

/** The segment for appends. */
export interface ActiveSegment {
  readonly segment: Segment;
  readonly fd: number;
  /** Number of durable entries in it. */
  readonly count: number;
  /** The last of them. */
  readonly recent: readonly JournalEntry[];
}

/** Entries cached in memory: followers read the newest repeatedly, and the others rarely. */
const RECENT = 256;

/** The segment after a durable append. */
export function withAppended(active: ActiveSegment, { entries, bytes }: WrittenEntries): ActiveSegment {
  const { segment, count, recent } = active;
  return {
    ...active,
    segment: { ...segment, bytes: segment.bytes + bytes },
    count: count + entries.length,
    recent: [...recent, ...entries].slice(-RECENT),
  };
}

export interface WrittenEntries {
  readonly entries: readonly JournalEntry[];
  readonly bytes: number;
}

/** Creates or opens a segment for appending: truncates a torn last line, and syncs what a killed process left. */
export async function openSegment(segment: Segment, calls: JournalCalls): Promise<ActiveSegment> {
  const fd = calls.open(segment.path);
  try {
    const bytes = calls.read(segment.path);
    const whole = wholeLines(bytes);
    if (whole < bytes.length) calls.truncate(fd, whole);
    await calls.fsync(fd);
    await syncFolder(dirname(segment.path), calls);
    const entries = entriesOf(bytes.subarray(0, whole), { first: segment.first, next: null });
    return withAppended({ segment: { ...segment, bytes: 0 }, fd, count: 0, recent: [] }, { entries, bytes: whole });
  } catch (error) {
    closeAfterFailure(fd, calls);
    throw error;
  }
}

/**
 * Removes a failed append's data through a newly opened file, since one with a failed fsync is unreliable. False when it may still be
 * there.
 */
export async function cutBack({ path, bytes }: Segment, calls: JournalCalls): Promise<boolean> {
  try {
    const fd = calls.open(path);
    try {
      calls.truncate(fd, bytes);
      await calls.fsync(fd);
    } finally {
      calls.close(fd);
    }
    return true;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return false;
  }
}

/** The entries of a segment, all damaged when it is unreadable. Throws when the machine ran short. */
export function readSegment(
  { path }: Segment,
  { calls, numbers }: { readonly calls: JournalCalls; readonly numbers: Numbers },
): readonly JournalEntry[] {
  try {
    return entriesOf(calls.read(path), numbers);
  } catch (error) {
    if (errnoOf(error) === null || isShortage(error)) throw error;
    return entriesOf(Buffer.alloc(0), numbers);
  }
}

/** Some entries of a segment, without parsing the rest; null when it must be read whole. Throws when the machine ran short. */
export function readWindow(
  { path }: Segment,
  {
    calls,
    numbers,
    window,
  }: { readonly calls: JournalCalls; readonly numbers: Numbers & { readonly next: number }; readonly window: Window },
): readonly JournalEntry[] | null {
  try {
    return entriesIn(calls.read(path), numbers, window);
  } catch (error) {
    if (errnoOf(error) === null || isShortage(error)) throw error;
    return null;
  }
}
