import { ReasonCode, SessionHost, SessionId, SessionState, Slug, Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none } from "./contract.js";
import { SessionAnswer } from "./session.js";

const count = z.number().int().nonnegative();

/** A tmux server that did not answer, so that nothing is known of what runs there. */
export const Unobservable = z.object({ socket: z.string(), code: z.string(), message: z.string() });
export type Unobservable = z.infer<typeof Unobservable>;

/** Something that runs and is no session: a terminal of tmux, or an agent outside it. */
export const Discovered = z.object({
  origin: SessionHost,
  /** Of the tmux session; of a native agent, the agent's. */
  name: z.string(),
  /** The tmux server's; null for a native agent, which tmpm cannot control. */
  socket: z.string().nullable(),
  pane_id: z.string().nullable(),
  pid: z.number().int(),
  /** Of a native agent. */
  started_at: Timestamp.nullable(),
  agent: z.string(),
  cwd: z.string().nullable(),
  /** Terminals of people attached; null for a native agent. */
  viewers: count.nullable(),
  adoptable: z.boolean(),
  /** Why it cannot be adopted; null when it can. */
  reason: z.string().nullable(),
});
export type Discovered = z.infer<typeof Discovered>;

export const DiscoverAnswer = z.object({
  discovered: z.array(Discovered),
  unobservable: z.array(Unobservable),
  next: z.string().nullable(),
});
export type DiscoverAnswer = z.infer<typeof DiscoverAnswer>;

export const AdoptBody = z.strictObject({
  /** The tmux session's exact name, or the id of a pane. */
  target: z.string().min(1),
  /** A socket's absolute path, or a name in tmux's own folder. */
  socket: z.string().min(1).optional(),
  agent: Slug.optional(),
  name: Slug.optional(),
});
export type AdoptBody = z.input<typeof AdoptBody>;

/** `to` is null where nothing was, or with `dry_run` would be, changed. */
export const Finding = z.object({
  id: SessionId.nullable(),
  name: z.string(),
  outcome: z.enum(["changed", "found", "adopted", "rebuilt", "unknown", "left"]),
  from: SessionState.nullable(),
  to: SessionState.nullable(),
  reason: z.union([ReasonCode, z.string()]),
});
export type Finding = z.infer<typeof Finding>;

export const ReconcileAnswer = z.object({
  dry_run: z.boolean(),
  /** Sessions that run as their records say. */
  live: count,
  findings: z.array(Finding),
  /** So many sessions seemed gone at once that a second look had to confirm it; null when that was not so. */
  doubted: z.object({ affected: count, total: count, confirmed: count }).nullable(),
  unobservable: z.array(Unobservable),
});
export type ReconcileAnswer = z.infer<typeof ReconcileAnswer>;

export const DISCOVER_ROUTES = {
  discover: {
    scope: "operator",
    params: none,
    query: none,
    body: z.strictObject({ sockets: z.array(z.string().min(1)).max(20).optional() }),
    status: 200,
    answer: DiscoverAnswer,
  },
  adopt: { scope: "operator", params: none, query: none, body: AdoptBody, status: 201, answer: SessionAnswer },
  reconcile: {
    scope: "operator",
    params: none,
    query: none,
    body: z.strictObject({ dry_run: z.boolean().optional() }),
    status: 200,
    answer: ReconcileAnswer,
  },
} as const satisfies Record<string, Contract>;
