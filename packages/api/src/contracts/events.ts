import { Event, SessionId, Timestamp } from "@tmpm/core";
import * as z from "zod";
import { aliveMs } from "./alive.js";
import { type Contract, count, none, project } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";

/** An event of a type unknown to this version, to be ignored; `damaged` replaces an unreadable event, of which only the number is known. */
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
  next: z.number().int().nonnegative().describe("Next value of `after`. If it equals the one passed, there are no newer events."),
  behind: z
    .object({ snapshot_at: z.number().int().nonnegative() })
    .nullable()
    .describe(
      "Events after `after` were discarded, or never existed: read the complete state again, then continue after `snapshot_at`, which is also `next`.",
    ),
});
export type EventsAnswer = z.infer<typeof EventsAnswer>;

/** Event types in a query, comma-separated. */
const types = z
  .string()
  .regex(/^\w+(,\w+)*$/, "separate types by commas")
  .transform((text) => text.split(","));

const EventsQuery = z.strictObject({
  after: count(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("Number of the last event that the caller received; by default, all retained events are returned."),
  limit: count(1, 1000).optional(),
  session: z.string().min(1).optional().describe("A session's id, even of one that no longer exists, its name, or a prefix of either."),
  project_id: project.optional(),
  type: types.optional(),
  wait_ms: count(0, 60_000).optional().describe("Maximum wait for a first event, in ms, if there is none yet."),
  alive_ms: aliveMs,
});

export const EVENT_ROUTES = {
  events: {
    method: "GET",
    path: "/v1/events",
    scope: "observer",
    summary: "Events, in pages or as a stream",
    description: "Events are numbered without gaps, across restarts. See `docs/events.md` for the types.",
    params: none,
    query: EventsQuery,
    body: null,
    status: 200,
    answer: EventsAnswer,
    waits: true,
    errors: ["PROJECT_NOT_FOUND", "SESSION_NOT_FOUND", "SESSION_AMBIGUOUS", "RECORD_DAMAGED", "RECORD_UNSUPPORTED"],
    example: {
      query: { session: "demo", after: "0" },
      answer: {
        events: [
          {
            seq: 1,
            type: "session_created",
            at: "2026-01-02T03:04:05Z",
            session_id: EXAMPLE_SESSION.id,
            project_id: "default",
            name: "demo",
            agent: "shell",
          },
        ],
        next: 1,
        behind: null,
      },
    },
    stream: {
      kind: "sse",
      description:
        "With `Accept: text/event-stream` the response is an endless stream. A message's `id` is the event's number, its `data` the event; send the last `id` as `Last-Event-ID` to resume. `event: behind` carries `{\"snapshot_at\": …}` when the requested events were discarded, `event: error` the error envelope, which ends the stream. Something is sent at least every `alive_ms`.",
      example:
        'retry: 1000\n\nid: 1\ndata: {"seq":1,"type":"session_created","at":"2026-01-02T03:04:05Z","session_id":"3b241101-e2bb-4255-8caf-4136c566a962","name":"demo","agent":"shell"}\n\n: so far\nid: 4\n\n',
    },
  },
} as const satisfies Record<string, Contract>;
