import { Activity, Session, SessionRecord } from "@tmpm/core";
import * as z from "zod";

/** A session in an answer: the snapshot, the record, and what is believed now. */
export const SessionAnswer = z.looseObject({
  ...SessionRecord.shape,
  ...Session.shape,
  activity: Activity,
  /** Terminals of people attached when the session was last observed. */
  viewers: z.number().int().nonnegative(),
  /** What a person should do about the session; null when nothing. */
  hint: z.string().nullable(),
});
export type SessionAnswer = z.infer<typeof SessionAnswer>;
