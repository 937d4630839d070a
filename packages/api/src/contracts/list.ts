import { Slug } from "@tmpm/core";
import * as z from "zod";
import { type Contract, flag, none, session } from "./contract.js";
import { Discovered, Unobservable } from "./discover.js";
import { SessionAnswer } from "./session.js";

/** A record that is listed but not used: `unsupported` was written by a newer tmpm, `damaged` cannot be read. */
export const Problem = z.object({
  kind: z.enum(["unsupported", "damaged"]),
  id: z.string(),
  project_id: z.string(),
  reason: z.string(),
});
export type Problem = z.infer<typeof Problem>;

/** A change of ours that another program overwrote; both versions are in the file at `path`. */
export const StoreConflict = z.object({ id: z.string(), path: z.string() });

/** `conflicts` is there when there are some. */
export const StoreHealth = z.object({
  state: z.enum(["ok", "degraded"]),
  message: z.string().nullable(),
  conflicts: z.array(StoreConflict).optional(),
});

export const SessionList = z.object({
  sessions: z.array(SessionAnswer),
  problems: z.array(Problem),
  store: StoreHealth,
  next: z.string().nullable(),
  /** When asked for: what runs and is no session, and the tmux servers that did not answer. */
  discovered: z.array(Discovered).optional(),
  unobservable: z.array(Unobservable).optional(),
});
export type SessionList = z.infer<typeof SessionList>;

export const LIST_ROUTES = {
  list: {
    scope: "observer",
    params: none,
    query: z.strictObject({ all: flag.optional(), archived: flag.optional(), project_id: Slug.optional(), discovered: flag.optional() }),
    body: null,
    status: 200,
    answer: SessionList,
  },
  show: { scope: "observer", params: session, query: none, body: null, status: 200, answer: SessionAnswer },
} as const satisfies Record<string, Contract>;
