import type { EventBody } from "@tmpm/core";
import type { EventJournal, JournalPage } from "../events/journal.js";
import { sampleRecord } from "./sample-record.js";

/** A valid event, identified by its outcome. */
export function sampleEvent(outcome: string): EventBody {
  return { type: "session_text_sent", at: "2026-01-01T00:00:00Z", session_id: sampleRecord(1).id, outcome, bytes: outcome.length };
}

/** Appends this number of events, one after another. */
export async function appendMany(journal: EventJournal, count: number): Promise<void> {
  for (let done = 0; done < count; done++) await journal.append(sampleEvent(`event ${done}`));
}

export function read(journal: EventJournal, after: number): Promise<JournalPage> {
  return journal.read({ after, limit: 100_000 });
}

/** The numbers of a page, or its kind if it has none. */
export function numbersOf(page: JournalPage): readonly number[] | string {
  return page.kind === "behind" ? `behind ${page.snapshot_at}` : page.entries.map(({ seq }) => seq);
}

export function upTo(last: number, { first = 1 } = {}): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
