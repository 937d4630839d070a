import { type Decision, type SessionRecord, TmpmError } from "@tmpm/core";
import type { ClosedDecision } from "../activity/asked.js";

export interface DecisionEnd {
  readonly record: SessionRecord;
  readonly open: Decision | null;
  readonly before: ClosedDecision | undefined;
}

/** The error for a decision that can no longer be answered, with its outcome. */
export function decisionGone({ record, open, before }: DecisionEnd): TmpmError {
  const what = before === undefined ? "that question is not pending" : `that ${endOf(before)}`;
  const now = open === null ? "no question is pending" : `now pending: ${open.subject}`;
  return new TmpmError("DECISION_GONE", `session ${record.name}: ${what}; ${now}`, {
    hint: "`tmpm next` shows the session that most needs an answer.",
    details: { id: record.id, closed: before?.how ?? null, answer: before?.answer ?? null, open: open?.id ?? null },
  });
}

function endOf({ how, answer: given }: ClosedDecision): string {
  switch (how) {
    case "answered":
      return `was already answered (${given})`;
    case "moved_on":
      return "was answered in its terminal, or was withdrawn";
    case "ended":
      return "was not answered before the program ended";
  }
}
