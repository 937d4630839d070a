import { type Decision, type SessionRecord, TmpmError } from "@tmpm/core";
import type { Closed } from "../activity/asked.js";

export interface Gone {
  readonly record: SessionRecord;
  readonly open: Decision | null;
  readonly before: Closed | undefined;
}

/** The error for a decision that cannot be answered any more, with what became of it. */
export function decisionGone({ record, open, before }: Gone): TmpmError {
  const what = before === undefined ? "that is not asked" : `that ${endOf(before)}`;
  const now = open === null ? "nothing is asked now" : `now it asks: ${open.subject}`;
  return new TmpmError("DECISION_GONE", `session ${record.name}: ${what}; ${now}`, {
    hint: "`tmpm next` shows what waits for an answer.",
    details: { id: record.id, closed: before?.how ?? null, answer: before?.answer ?? null, open: open?.id ?? null },
  });
}

function endOf({ how, answer: given }: Closed): string {
  switch (how) {
    case "answered":
      return `was answered already (${given})`;
    case "moved_on":
      return "was answered in its terminal, or is not asked any more";
    case "ended":
      return "was not answered before the program ended";
  }
}
