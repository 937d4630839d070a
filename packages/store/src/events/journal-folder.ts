import { join } from "node:path";
import { type Event, type EventBody, TmpmError } from "@tmpm/core";
import { makeFolders } from "../durable/durable-folder.js";
import { closeAfterFailure, writeAll } from "../durable/write-durably.js";
import { type OwnerLock, tryOwnerLock } from "../locks/owner-lock.js";
import type { JournalEntry, ReadFrom } from "./journal.js";
import { lineOf } from "./journal-lines.js";
import { cutBack } from "./journal-segment.js";
import { openSegments, type Segments, type SegmentsOptions, segmentBytes } from "./journal-segments.js";

/** A journal's folder, owned by this process. Errors are those of the file system. */
export interface JournalFolder {
  /** The newest number; 0 for none. */
  last(): number;
  /** The number before the oldest event kept. */
  before(): number;
  /** The entries after a number; null for an expired or unassigned one. */
  read(from: ReadFrom): readonly JournalEntry[] | null;
  /**
   * Writes as many of the events as fit together, at least one, and returns them once durable. After a failure only `abandon` may be
   * called.
   */
  write(bodies: readonly EventBody[]): Promise<readonly Event[]>;
  close(): void;
  /** Closes after a failed write. False when a part of it may be read later. */
  abandon(): Promise<boolean>;
}

/** @throws STORE_DEGRADED when another process has the folder */
export async function openJournalFolder(options: SegmentsOptions): Promise<JournalFolder> {
  const { dir, calls } = options;
  await makeFolders(dir, calls);
  const lock = lockFolder(dir);
  const segments = await tidySegments(options).catch((error: unknown) => {
    lock.release();
    throw error;
  });

  return {
    last: () => segments.next() - 1,
    before: () => segments.oldest() - 1,
    read: segments.read,
    async write(bodies) {
      await segments.makeRoom(bodies[0] === undefined ? 0 : lineOf({ seq: segments.next(), ...bodies[0] }).length);
      const { segment, fd } = segments.active();
      const room = segmentBytes(options) - segment.bytes;
      const { events, bytes } = fitting(bodies, { first: segments.next(), room });
      writeAll(fd, { calls, bytes });
      await calls.fsync(fd);
      segments.appended({ entries: events.map((event) => ({ kind: "event", seq: event.seq, event })), bytes: bytes.length });
      return events;
    },
    close() {
      try {
        calls.close(segments.active().fd);
      } finally {
        lock.release();
      }
    },
    async abandon() {
      const { segment, fd } = segments.active();
      closeAfterFailure(fd, calls);
      try {
        return await cutBack(segment, calls);
      } finally {
        lock.release();
      }
    },
  };
}

async function tidySegments(options: SegmentsOptions): Promise<Segments> {
  const segments = await openSegments(options);
  try {
    await segments.makeRoom(0);
    return segments;
  } catch (error) {
    closeAfterFailure(segments.active().fd, options.calls);
    throw error;
  }
}

interface Fitting {
  readonly first: number;
  readonly room: number;
}

/** The numbered events that fit into a segment together. One too large for any is written alone. */
function fitting(bodies: readonly EventBody[], { first, room }: Fitting): { readonly events: readonly Event[]; readonly bytes: Buffer } {
  const events: Event[] = [];
  const lines: Buffer[] = [];
  let size = 0;
  for (const body of bodies) {
    const event = { seq: first + events.length, ...body };
    const line = lineOf(event);
    size += line.length;
    if (events.length > 0 && size > room) break;
    events.push(event);
    lines.push(line);
  }
  return { events, bytes: Buffer.concat(lines) };
}

function lockFolder(dir: string): OwnerLock {
  const path = join(dir, ".lock");
  const attempt = tryOwnerLock(path);
  if (attempt.outcome === "acquired") return attempt.lock;
  const { pid } = attempt.holder;
  throw new TmpmError("STORE_DEGRADED", `process ${pid} holds the event journal at ${dir}`, {
    details: { pid, path },
    hint:
      attempt.liveness === "running" ? `End process ${pid} first.` : `If process ${pid} of the other container has ended, remove the lock.`,
  });
}
