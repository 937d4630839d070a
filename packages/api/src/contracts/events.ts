import { Event, SessionId, Slug, Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, count, none } from "./contract.js";

/** An event of a type that this version does not know, to be ignored; `damaged` stands for one that cannot be read any more, and has only a number. */
export const OtherEvent = z.looseObject({
  seq: z.number().int().positive(),
  type: z.string(),
  at: Timestamp.optional(),
  session_id: SessionId.nullable().optional(),
});
export type OtherEvent = z.infer<typeof OtherEvent>;

export const EventAnswer = z.union([Event, OtherEvent]);
export type EventAnswer = z.infer<typeof EventAnswer>;

export const EventsAnswer = z.object({
  events: z.array(EventAnswer),
  /** What to pass as `after` next. When it is what was passed, there is nothing newer. */
  next: z.number().int().nonnegative(),
  /** What follows `after` is not kept any more, or never was: look at everything anew, then go on after `snapshot_at`, which is also `next`. */
  behind: z.object({ snapshot_at: z.number().int().nonnegative() }).nullable(),
});
export type EventsAnswer = z.infer<typeof EventsAnswer>;

/** Types in a query, separated by commas. */
const types = z
  .string()
  .regex(/^\w+(,\w+)*$/, "separate types by commas")
  .transform((text) => text.split(","));

const EventsQuery = z.strictObject({
  /** The number of the last event that the caller knows; without it, everything that is kept. */
  after: count(0, Number.MAX_SAFE_INTEGER).optional(),
  limit: count(1, 1000).optional(),
  /** A session's id, also of one that is gone; or its name, or the beginning of either. */
  session: z.string().min(1).optional(),
  project_id: Slug.optional(),
  type: types.optional(),
  /** How long to wait for a first event when there is none yet. */
  wait_ms: count(0, 60_000).optional(),
});

/** Asked for with `Accept: text/event-stream`, the events come as a stream instead: see `docs/events.md`. */
export const EVENT_ROUTES = {
  events: { scope: "observer", params: none, query: EventsQuery, body: null, status: 200, answer: EventsAnswer },
} as const satisfies Record<string, Contract>;
