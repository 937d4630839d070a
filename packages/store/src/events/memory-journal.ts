import { TmpmError } from "@tmpm/core";
import type { EventJournal, JournalEntry, JournalLimits } from "./journal.js";
import { journalFollowers } from "./journal-followers.js";
import { lineOf } from "./journal-lines.js";
import { checkedBody, checkedRead, tooLarge } from "./journal-rules.js";

/** A journal in memory, for tests: it passes the same contract and fails on demand. */
export interface MemoryJournal extends EventJournal {
  /** The next append stores nothing and rejects with `error`. */
  failNext(error: Error): void;
  /** Adds or replaces an entry of any kind with its number. */
  put(entry: JournalEntry): void;
  /** Another journal on the same events, as opened by the next process. */
  another(): MemoryJournal;
}

interface Kept {
  readonly entry: JournalEntry;
  readonly bytes: number;
  readonly at: number;
}

/** The data that outlives a journal's closing. */
interface Place {
  kept: readonly Kept[];
  last: number;
}

export function memoryJournal(limits: JournalLimits = {}): MemoryJournal {
  return journalOver({ kept: [], last: 0 }, limits);
}

function journalOver(place: Place, limits: JournalLimits): MemoryJournal {
  const { maxBytes = Number.POSITIVE_INFINITY, maxAgeMs = Number.POSITIVE_INFINITY, clock = Date.now } = limits;
  const followers = journalFollowers();
  const failures: Error[] = [];
  let open = true;

  function requireOpen(): void {
    if (!open) throw new TmpmError("SHUTTING_DOWN", "the event journal is closed");
  }

  function put(entry: JournalEntry): void {
    const kept = { entry, bytes: entry.kind === "damaged" ? 0 : Buffer.byteLength(JSON.stringify(entry.event)) + 1, at: clock() };
    place.kept = [...place.kept.filter((other) => other.entry.seq !== entry.seq), kept].sort((a, b) => a.entry.seq - b.entry.seq);
    place.last = Math.max(place.last, entry.seq);
    drop();
  }

  function drop(): void {
    let total = place.kept.reduce((sum, { bytes }) => sum + bytes, 0);
    const now = clock();
    const first = place.kept.findIndex(({ bytes, at }) => {
      if (total <= maxBytes && now - at < maxAgeMs) return true;
      total -= bytes;
      return false;
    });
    place.kept = first < 0 ? [] : place.kept.slice(first);
  }

  return {
    failNext: (error) => void failures.push(error),
    put,
    another: () => journalOver(place, limits),
    async append(body) {
      requireOpen();
      const event = { seq: place.last + 1, ...checkedBody(body) };
      if (lineOf(event).length > maxBytes / 8) throw tooLarge(maxBytes / 8);
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      const entry = { kind: "event", seq: event.seq, event } as const;
      put(entry);
      followers.publish([entry]);
      return event;
    },
    async read(from) {
      requireOpen();
      checkedRead(from);
      const first = place.kept[0]?.entry.seq ?? place.last + 1;
      if (from.after > place.last || from.after < first - 1) return { kind: "behind", snapshot_at: place.last, oldest: first - 1 };
      const entries = place.kept.map(({ entry }) => entry).filter(({ seq }) => seq > from.after);
      return { kind: "events", entries: entries.slice(0, from.limit) };
    },
    follow(listener) {
      requireOpen();
      return followers.add(listener);
    },
    async close() {
      open = false;
      followers.clear();
    },
  };
}
