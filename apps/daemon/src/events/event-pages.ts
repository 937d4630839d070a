import { setImmediate } from "node:timers/promises";
import type { EventsAnswer } from "@tmpm/api";
import type { EventJournal, JournalEntry } from "@tmpm/store";

/** Selects events; an omitted filter matches all. */
export interface EventFilter {
  readonly session_id?: string | undefined;
  readonly project_id?: string | undefined;
  readonly types?: readonly string[] | undefined;
}

export interface EventsFrom {
  /** The number of the reader's last event; null for all stored events. */
  readonly after: number | null;
  readonly limit: number;
  readonly filter: EventFilter;
}

/** `more`: further events may already exist. */
export interface EventPage extends EventsAnswer {
  readonly more: boolean;
}

export interface EventPages {
  read(from: EventsFrom): Promise<EventPage>;
  /** As `read`, but waits for a first event until the timeout or the signal. */
  wait(from: EventsFrom, until: { readonly ms: number; readonly signal: AbortSignal }): Promise<EventPage>;
}

/** Maximum number of journal entries read for one page, even if few match. */
const SCANNED = 10_000;
const CHUNK = 1_000;

export function eventPages(journal: Pick<EventJournal, "read" | "follow">): EventPages {
  async function read({ after, limit, filter }: EventsFrom): Promise<EventPage> {
    const events: EventsAnswer["events"] = [];
    let next = after ?? (await oldest(journal));
    for (let scanned = 0; scanned < SCANNED; scanned += CHUNK) {
      const page = await journal.read({ after: next, limit: CHUNK });
      if (page.kind === "behind") {
        if (events.length > 0) break;
        return { events: [], next: page.snapshot_at, behind: { snapshot_at: page.snapshot_at }, more: true };
      }
      for (const entry of page.entries) {
        if (events.length === limit) return { events, next, behind: null, more: true };
        next = entry.seq;
        if (matches(entry, filter)) events.push(answerOf(entry));
      }
      if (page.entries.length < CHUNK) return { events, next, behind: null, more: false };
      // Parsing an old part of the journal is slow; other requests run in between.
      await setImmediate();
    }
    return { events, next, behind: null, more: true };
  }

  async function wait(from: EventsFrom, { ms, signal }: { readonly ms: number; readonly signal: AbortSignal }): Promise<EventPage> {
    const bell = alarm(ms, signal);
    const subscription = journal.follow((entry) => {
      if (matches(entry, from.filter)) bell.ring();
    });
    try {
      let page = await read(from);
      while (page.events.length === 0 && page.behind === null && !bell.isOver()) {
        if (!page.more) await bell.rung();
        page = await read({ ...from, after: page.next });
      }
      return page;
    } finally {
      subscription.close();
      bell.close();
    }
  }

  return { read, wait };
}

/** The number before the first stored event. */
async function oldest(journal: Pick<EventJournal, "read">): Promise<number> {
  const page = await journal.read({ after: 0, limit: 1 });
  return page.kind === "behind" ? page.oldest : 0;
}

function matches(entry: JournalEntry, { session_id, project_id, types }: EventFilter): boolean {
  if (entry.kind === "damaged") return session_id === undefined && project_id === undefined && types === undefined;
  const { event } = entry;
  return (
    (session_id === undefined || event.session_id === session_id) &&
    (project_id === undefined || event.project_id === project_id) &&
    (types === undefined || (typeof event.type === "string" && types.includes(event.type)))
  );
}

function answerOf(entry: JournalEntry): EventsAnswer["events"][number] {
  if (entry.kind === "event") return entry.event;
  if (entry.kind === "damaged") return { seq: entry.seq, type: "damaged", problem: entry.reason };
  return { ...entry.event, seq: entry.seq, type: String(entry.event.type) };
}

/** Wakes the waiter, also when signalled before the wait; ends with the timeout or the signal. */
function alarm(ms: number, signal: AbortSignal) {
  let over = signal.aborted;
  let rang = false;
  let wake: () => void = () => undefined;
  const ring = () => {
    rang = true;
    wake();
  };
  const end = () => {
    over = true;
    ring();
  };
  const timer = setTimeout(end, ms);
  signal.addEventListener("abort", end, { once: true });
  return {
    ring,
    isOver: () => over,
    async rung(): Promise<void> {
      if (!rang && !over) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      rang = false;
    },
    close() {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
    },
  };
}
