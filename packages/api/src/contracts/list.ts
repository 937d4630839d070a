import { ActivityState, SessionState, Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, flag, none, project, session } from "./contract.js";
import { Discovered, Unobservable } from "./discover.js";
import { EXAMPLE_SESSION } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";
import { anyOf, next, paging } from "./paging.js";
import { SessionAnswer } from "./session.js";

/** A record that is listed but not used: `unsupported` was written by a newer tmpm, `damaged` is unreadable. */
export const Problem = z.object({
  kind: z.enum(["unsupported", "damaged"]),
  id: z.string(),
  project_id: z.string(),
  reason: z.string(),
});
export type Problem = z.infer<typeof Problem>;

/** A change by tmpm that another program overwrote; the file at `path` contains both versions. */
export const StoreConflict = z.object({ id: z.string(), path: z.string() });

/** `conflicts` is present only if there are any. */
export const StoreHealth = z.object({
  state: z.enum(["ok", "degraded"]),
  message: z.string().nullable(),
  conflicts: z.array(StoreConflict).optional(),
});

const SORTS = ["created_at", "updated_at", "last_activity_at", "name", "state", "activity"] as const;

/** Filters and order of the sessions. */
const wanted = {
  state: anyOf(SessionState),
  activity: anyOf(ActivityState),
  agent: anyOf(z.string()),
  owner: anyOf(z.string()),
  issue_id: anyOf(z.string()),
  q: z.string().min(1).max(1000).optional().describe("Words in the name, task, directory or branch, or the whole issue; case-insensitive."),
  sort: z
    .enum([...SORTS, ...SORTS.map((field) => `-${field}` as const)])
    .optional()
    .describe("Prefix `-` for descending order; `-created_at`, newest first, by default."),
};

export const SessionList = z.object({
  sessions: z.array(SessionAnswer),
  problems: z.array(Problem),
  store: StoreHealth,
  next,
  discovered: z
    .array(Discovered)
    .optional()
    .describe("If requested: terminals and agents that are not sessions, and sources that did not answer."),
  unobservable: z.array(Unobservable).optional(),
  silent: z
    .array(z.object({ host: z.string(), since: Timestamp, reason: z.string(), sessions: z.number().int().nonnegative() }))
    .optional()
    .describe("Hosts of listed sessions that do not answer, since when and why. Data on their sessions is older."),
});
export type SessionList = z.infer<typeof SessionList>;

function isField(name: string): boolean {
  return Object.hasOwn(SessionAnswer.shape, name);
}

export const SessionFields = anyOf(z.string().refine(isField, "not a field of a session")).describe(
  "Only these fields of each session, separated by commas; all by default.",
);

export const LIST_ROUTES = {
  list: {
    method: "GET",
    path: "/v1/sessions",
    scope: "observer",
    acting: "read",
    summary: "The sessions",
    description:
      "Answered from the records and memory, even while tmux does not respond. `all` includes finished sessions, `archived` the archived ones.",
    params: none,
    query: z.strictObject({
      all: flag.optional(),
      archived: flag.optional(),
      project_id: project.optional(),
      discovered: flag.optional(),
      fields: SessionFields,
      ...wanted,
      ...paging,
    }),
    body: null,
    status: 200,
    answer: SessionList,
    errors: ["PROJECT_NOT_FOUND", "SOCKET_PATH_TOO_LONG", ...MAY_FAIL.TMUX],
    example: {
      answer: { sessions: [EXAMPLE_SESSION], problems: [], store: { state: "ok", message: null }, next: null },
    },
  },
  show: {
    method: "GET",
    path: "/v1/sessions/:session",
    scope: "observer",
    own: true,
    acting: "read",
    summary: "One session",
    description: "Answered from the record and memory, even while tmux does not respond.",
    params: session,
    query: none,
    body: null,
    status: 200,
    answer: SessionAnswer,
    errors: [],
    example: { params: { session: "demo" }, answer: EXAMPLE_SESSION },
  },
} as const satisfies Record<string, Contract>;
