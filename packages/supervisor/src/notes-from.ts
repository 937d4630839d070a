import { parseText, type SessionRecord, TmpmError } from "@tmpm/core";

/** Notes of users and programs on a session; null or an empty value clears one, an omitted one stays. */
export interface NotesInput {
  readonly task?: string | undefined;
  readonly issue_id?: string | null | undefined;
  readonly issue_url?: string | null | undefined;
  readonly claimed_pr_number?: number | null | undefined;
  readonly claimed_pr_url?: string | null | undefined;
  readonly deliverable_id?: string | null | undefined;
  readonly notify?: "on" | "off" | null | undefined;
}

export type RecordNotes = Partial<
  Pick<SessionRecord, "task" | "issue_id" | "issue_url" | "claimed_pr_number" | "claimed_pr_url" | "deliverable_id" | "notify">
>;

/** The stored form of notes, from any source. @throws INVALID_ARGUMENT, INVALID_TEXT */
export function notesFrom({
  task,
  issue_id,
  issue_url,
  claimed_pr_number,
  claimed_pr_url,
  deliverable_id,
  notify,
}: NotesInput): RecordNotes {
  return {
    ...(task === undefined ? {} : { task: wordsOf(task, { field: "task", most: 65_536 }) ?? "" }),
    ...(issue_id === undefined ? {} : { issue_id: wordsOf(issue_id, { field: "issue_id", most: 200 }) }),
    ...(issue_url === undefined ? {} : { issue_url: urlOf(issue_url, "issue_url") }),
    ...(claimed_pr_number === undefined ? {} : { claimed_pr_number }),
    ...(deliverable_id === undefined ? {} : { deliverable_id: wordsOf(deliverable_id, { field: "deliverable_id", most: 200 }) }),
    ...(notify === undefined ? {} : { notify }),
    ...(claimed_pr_url === undefined ? {} : { claimed_pr_url: urlOf(claimed_pr_url, "claimed_pr_url") }),
  };
}

function wordsOf(text: string | null, { field, most }: { field: string; most: number }): string | null {
  const words = text === null || text.trim() === "" ? "" : parseText(text).trim();
  if (words.length > most) throw new TmpmError("INVALID_ARGUMENT", `${field} has at most ${most} characters`, { details: { field } });
  return words === "" ? null : words;
}

/** Links are displayed as such, so only web addresses are allowed. */
function urlOf(text: string | null, field: string): string | null {
  const words = wordsOf(text, { field, most: 2_048 });
  if (words === null || (URL.canParse(words) && /^https?:$/.test(new URL(words).protocol))) return words;
  throw new TmpmError("INVALID_ARGUMENT", `${JSON.stringify(words)} is not a web address`, { details: { field } });
}
