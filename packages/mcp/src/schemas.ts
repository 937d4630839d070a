import { SessionAnswer, TurnAnswer } from "@tmpm/api";
import { Activity, ReportKind, Timestamp } from "@tmpm/core";
import * as z from "zod";

export const sessionId = z.string().min(1).max(200).describe("A session's id, its name, or a prefix of either.");

export const cursor = z.string().min(1).max(2000).optional().describe("`next` of the previous page.");
export const next = z.string().nullable().describe("`cursor` of the next page; null at the end.");

/** The part of a session's activity that decides the next step. */
const BriefActivity = Activity.pick({ state: true, source: true, since: true, observed_at: true });

/** The fields of `tmpm show --json` that identify and select sessions. */
const row = SessionAnswer.pick({
  id: true,
  name: true,
  agent: true,
  state: true,
  cwd: true,
  project_id: true,
  spawned_by: true,
  queued: true,
  hint: true,
});

/** A row of a list. `age_s` is the age of the activity. */
export const SessionRow = z.object({
  ...row.shape,
  task: z.string().describe("Its beginning."),
  activity: BriefActivity,
  question: z
    .object({ id: z.string(), question: z.string(), choices: z.number().int().describe("Number of choices.") })
    .nullable()
    .describe("Beginning of its question from `ask_human`; `get_session` shows all of it. Null when there is none."),
  report: z.object({ kind: ReportKind, text: z.string(), at: Timestamp }).nullable().describe("Beginning of its last report."),
  age_s: z.number().int().nonnegative().describe("Seconds since the activity was last seen or reported."),
});
export type SessionRow = z.infer<typeof SessionRow>;

/** A turn of `tmpm turns --json`, without its prompt's copy and the fields that only the daemon needs. */
export const TurnRow = TurnAnswer.pick({
  id: true,
  generation: true,
  state: true,
  outcome: true,
  reason: true,
  accepted_at: true,
  started_at: true,
  ended_at: true,
  decision_id: true,
  position: true,
});
