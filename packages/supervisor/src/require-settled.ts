import { type SessionRecord, TmpmError } from "@tmpm/core";

/** Refuses an operation until an interrupted one is finished or rolled back. @throws INVALID_STATE */
export function requireSettled(record: SessionRecord, verb: string): void {
  if (record.intent === null) return;
  throw new TmpmError("INVALID_STATE", `cannot ${verb} session ${record.name} while its ${record.intent.op} is unfinished`, {
    hint: "Try again in a moment; `tmpm show` shows when it is finished.",
    details: { id: record.id, state: record.state, intent: record.intent },
  });
}
