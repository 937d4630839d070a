import { type Event, type EventBody, TmpmError } from "@tmpm/core";
import { reportingFailure, storeFailure } from "../durable/store-failure.js";
import type { EventJournal, JournalEntry, JournalLimits } from "./journal.js";
import { type JournalCalls, nodeJournalCalls } from "./journal-calls.js";
import { type JournalFolder, openJournalFolder } from "./journal-folder.js";
import { journalFollowers } from "./journal-followers.js";
import { lineOf } from "./journal-lines.js";
import { checkedBody, checkedRead, tooLarge } from "./journal-rules.js";
import { segmentBytes } from "./journal-segments.js";

export interface EventJournalOptions extends JournalLimits {
  /** Contains only the journal. Created by the first use; on a local file system. */
  readonly dir: string;
  /** The system calls, to record them or to let one fail. */
  readonly calls?: JournalCalls;
}

interface Pending {
  readonly body: EventBody;
  resolve(event: Event): void;
  reject(error: unknown): void;
}

/**
 * A journal in files of JSON lines. By default the last 16 MiB and 30 days are kept; an event may be as large as an eighth of `maxBytes`.
 * Concurrent appends share an fsync.
 */
export function eventJournal(options: EventJournalOptions): EventJournal {
  const { dir, calls = nodeJournalCalls, maxBytes = 16 * 1024 * 1024, maxAgeMs = 30 * 86_400_000, clock = Date.now } = options;
  const limits = { dir, calls, maxBytes, maxAgeMs, clock };
  const followers = journalFollowers();
  const pending: Pending[] = [];
  let folder: JournalFolder | null = null;
  let published: number | null = null;
  let tail: Promise<unknown> = Promise.resolve();
  let open = true;

  /** One operation at a time: opening, writing, closing. Each caller gets its own failure; the next only waits for its end. */
  function serially<T>(task: () => Promise<T>): Promise<T> {
    const result = tail.then(task, task);
    tail = result.catch(() => undefined);
    return result;
  }

  async function opened(): Promise<JournalFolder> {
    if (folder !== null) return folder;
    try {
      folder = await openJournalFolder(limits);
    } catch (error) {
      throw storeFailure(error, { doing: "cannot open the event journal", path: dir });
    }
    publishRest(folder);
    return folder;
  }

  /** A failed write may have left events that no follower got. */
  function publishRest(journal: JournalFolder): void {
    if (published !== null) followers.publish(journal.read({ after: published, limit: Number.MAX_SAFE_INTEGER }) ?? []);
    published = journal.last();
  }

  async function flush(): Promise<void> {
    while (pending.length > 0) {
      const batch = [...pending];
      try {
        const events = await writeSome(batch.map(({ body }) => body));
        pending.splice(0, events.length);
        published = events.at(-1)?.seq ?? published;
        followers.publish(events.map((event): JournalEntry => ({ kind: "event", seq: event.seq, event })));
        for (const [index, event] of events.entries()) batch[index]?.resolve(event);
      } catch (error) {
        pending.splice(0, batch.length);
        for (const { reject } of batch) reject(error);
      }
    }
  }

  async function writeSome(bodies: readonly EventBody[]): Promise<readonly Event[]> {
    const journal = await opened();
    try {
      return await journal.write(bodies);
    } catch (error) {
      folder = null;
      const effect = (await journal.abandon()) ? "none" : "unknown";
      throw storeFailure(error, { doing: "cannot write the event", path: dir, effect });
    }
  }

  function requireOpen(): void {
    if (!open) throw new TmpmError("SHUTTING_DOWN", "the event journal is closed");
  }

  return {
    async append(body) {
      requireOpen();
      const checked = checkedBody(body);
      if (lineOf({ seq: Number.MAX_SAFE_INTEGER, ...checked }).length > segmentBytes(limits)) throw tooLarge(segmentBytes(limits));
      const appended = new Promise<Event>((resolve, reject) => {
        pending.push({ body: checked, resolve, reject });
      });
      void serially(flush);
      return appended;
    },
    async read(from) {
      requireOpen();
      checkedRead(from);
      const journal = folder ?? (await serially(opened));
      const entries = reportingFailure({ doing: "cannot read the event journal", path: dir }, () => journal.read(from));
      return entries === null ? { kind: "behind", snapshot_at: journal.last(), oldest: journal.before() } : { kind: "events", entries };
    },
    follow(listener) {
      requireOpen();
      return followers.add(listener);
    },
    close() {
      open = false;
      return serially(async () => {
        followers.clear();
        folder?.close();
        folder = null;
      });
    },
  };
}
