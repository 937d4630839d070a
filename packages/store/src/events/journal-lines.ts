import { Event } from "@tmpm/core";
import { parseOrNull } from "../durable/parse-or-null.js";
import { isFields } from "../sessions/merge-document.js";
import { freezeDeep, MAX_DEPTH } from "../sessions/record-document.js";
import type { JournalEntry } from "./journal.js";

const NEWLINE = 0x0a;

export function lineOf(event: Event): Buffer {
  return Buffer.from(`${JSON.stringify(event)}\n`);
}

/** Length of the whole lines of a file, in bytes; the rest is torn. */
export function wholeLines(bytes: Buffer): number {
  return bytes.lastIndexOf(NEWLINE) + 1;
}

export interface Numbers {
  /** The number of the first line. */
  readonly first: number;
  /** The number after the last line; null if only the lines determine it. */
  readonly next: number | null;
}

/**
 * The entries of whole lines. Every number from `first` on is one entry: unreadable lines, and lines whose number does not fit between
 * their neighbours', are damaged ones.
 */
export function entriesOf(bytes: Buffer, { first, next }: Numbers): readonly JournalEntry[] {
  const lines = Array.from(linesOf(bytes), entryOf);
  const read = lines.filter((entry) => entry !== null).filter(({ seq }) => seq >= first && (next === null || seq < next));
  const entries: JournalEntry[] = [];
  const fill = (until: number) => {
    for (let seq = first + entries.length; seq < until; seq++) entries.push({ kind: "damaged", seq, reason: "its line cannot be read" });
  };
  for (const entry of longestRise(read)) {
    fill(entry.seq);
    entries.push(entry);
  }
  fill(next ?? first + entries.length + trailing(lines));
  return entries;
}

/** The range of requested entries: from the number `from` on, at most `limit`. */
export interface Window {
  readonly from: number;
  readonly limit: number;
}

/**
 * Some of the entries of `entriesOf`, for a file with as many lines as numbers and the right numbers in the range; null for any other file.
 * Only the range is parsed.
 */
export function entriesIn(
  bytes: Buffer,
  { first, next }: Numbers & { readonly next: number },
  { from, limit }: Window,
): readonly JournalEntry[] | null {
  const starts = lineStarts(bytes);
  if (starts.length !== next - first) return null;
  const entries: JournalEntry[] = [];
  for (let seq = Math.max(from, first); seq < Math.min(from + limit, next); seq++) {
    const entry = entryOf(bytes.toString("utf8", starts[seq - first], (starts[seq - first + 1] ?? bytes.length) - 1));
    if (entry?.seq !== seq) return null;
    entries.push(entry);
  }
  return entries;
}

/** Empty for bytes that end within a line. */
function lineStarts(bytes: Buffer): readonly number[] {
  const starts: number[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end < 0) return [];
    starts.push(start);
    start = end + 1;
  }
  return starts;
}

function* linesOf(bytes: Buffer): Generator<string> {
  for (let start = 0, end = bytes.indexOf(NEWLINE); end >= 0; start = end + 1, end = bytes.indexOf(NEWLINE, start)) {
    yield bytes.toString("utf8", start, end);
  }
}

/** Number of unreadable lines at the end: each stands for a number that may have been acknowledged. */
function trailing(lines: readonly (JournalEntry | null)[]): number {
  return lines.length - 1 - lines.findLastIndex((entry) => entry !== null);
}

/** Null for a line without a numbered event. */
function entryOf(line: string): JournalEntry | null {
  const value = parseOrNull(line);
  if (!isFields(value) || typeof value.seq !== "number" || !Number.isSafeInteger(value.seq) || typeof value.type !== "string") return null;
  const { seq } = value;
  if (!freezeDeep(value, MAX_DEPTH)) return null;
  const event = Event.safeParse(value);
  if (!event.success) return { kind: "unknown", seq, event: value };
  freezeDeep(event.data, MAX_DEPTH);
  return { kind: "event", seq, event: event.data };
}

/** The longest sequence of increasing numbers, so that one wrong number does not hide the right ones after it. */
function longestRise(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  if (entries.every(({ seq }, index) => index === 0 || seq > (entries[index - 1]?.seq ?? 0))) return entries;
  const ends: Rise[] = [];
  for (const entry of entries) {
    const length = shorterThan(ends, entry.seq);
    ends[length] = { entry, before: ends[length - 1] ?? null };
  }
  const rise: JournalEntry[] = [];
  for (let end = ends.at(-1) ?? null; end !== null; end = end.before) rise.push(end.entry);
  return rise.reverse();
}

/** Number of sequences, ordered by their end, that end before `seq`. */
function shorterThan(ends: readonly Rise[], seq: number): number {
  let low = 0;
  for (let high = ends.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((ends[middle]?.entry.seq ?? seq) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Rise {
  readonly entry: JournalEntry;
  readonly before: Rise | null;
}
