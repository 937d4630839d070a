import { ReasonCode, SessionHost, SessionId, SessionState, Slug, Timestamp } from "@tmpm/core";
import * as z from "zod";
import { type Contract, none } from "./contract.js";
import { EXAMPLE_SESSION } from "./example-session.js";
import { MAY_FAIL } from "./may-fail.js";
import { SessionAnswer } from "./session.js";

const count = z.number().int().nonnegative();

/** A source of sessions that did not respond, so that its sessions are unknown. */
export const Unobservable = z.object({ socket: z.string(), code: z.string(), message: z.string() });
export type Unobservable = z.infer<typeof Unobservable>;

/** A running terminal that does not belong to a session, or an agent outside all terminals that tmpm could control. */
export const Discovered = z.object({
  origin: SessionHost,
  name: z.string().describe("Name of the tmux session; for a native agent, of the agent."),
  socket: z.string().nullable().describe("Socket of its host; null for a native agent, which tmpm cannot control."),
  pane_id: z.string().nullable(),
  pid: z.number().int(),
  started_at: Timestamp.nullable().describe("Only for a native agent."),
  agent: z.string(),
  cwd: z.string().nullable(),
  viewers: count.nullable().describe("Users' attached terminals; null for a native agent."),
  adoptable: z.boolean(),
  reason: z.string().nullable().describe("Why it cannot be adopted; null when it can."),
});
export type Discovered = z.infer<typeof Discovered>;

export const DiscoverAnswer = z.object({
  discovered: z.array(Discovered),
  unobservable: z.array(Unobservable),
  next: z.string().nullable(),
});
export type DiscoverAnswer = z.infer<typeof DiscoverAnswer>;

export const AdoptBody = z.strictObject({
  target: z.string().min(1).describe("The tmux session's exact name, or the id of a pane."),
  socket: z.string().min(1).optional().describe("Absolute path of a socket, or a name in tmux's own folder."),
  agent: Slug.optional(),
  name: Slug.optional(),
  as: z
    .string()
    .min(1)
    .optional()
    .describe("The stopped session to attach the terminal to; by default, a session that was imported from there."),
});
export type AdoptBody = z.input<typeof AdoptBody>;

/** `to` is null if nothing was changed, or would be with `dry_run`. */
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
  live: count.describe("Sessions running as recorded."),
  findings: z.array(Finding),
  doubted: z
    .object({ affected: count, total: count, confirmed: count })
    .nullable()
    .describe("Number of sessions that disappeared at once and needed a second observation to confirm; null otherwise."),
  unobservable: z.array(Unobservable),
});
export type ReconcileAnswer = z.infer<typeof ReconcileAnswer>;

export const DISCOVER_ROUTES = {
  discover: {
    method: "POST",
    path: "/v1/discover",
    scope: "operator",
    summary: "Finds terminals and agents that are not sessions",
    params: none,
    query: none,
    body: z.strictObject({ sockets: z.array(z.string().min(1)).max(20).optional() }),
    status: 200,
    answer: DiscoverAnswer,
    errors: ["SOCKET_PATH_TOO_LONG", ...MAY_FAIL.TMUX],
    example: { answer: { discovered: [], unobservable: [], next: null } },
  },
  adopt: {
    method: "POST",
    path: "/v1/adopt",
    scope: "operator",
    summary: "Starts managing an existing terminal",
    params: none,
    query: none,
    body: AdoptBody,
    status: 201,
    answer: SessionAnswer,
    errors: [
      "ALREADY_MANAGED",
      "INVALID_STATE",
      "SESSION_NOT_OWNED",
      "NAME_TAKEN",
      "AGENT_UNKNOWN",
      "DIRECTORY_NOT_FOUND",
      "SOCKET_PATH_TOO_LONG",
      ...MAY_FAIL.SESSION,
      ...MAY_FAIL.PANE,
      ...MAY_FAIL.TMUX,
    ],
    example: { body: { target: "work", socket: "default" }, answer: EXAMPLE_SESSION },
  },
  reconcile: {
    method: "POST",
    path: "/v1/reconcile",
    scope: "operator",
    summary: "Reconciles the records with what is running",
    params: none,
    query: none,
    body: z.strictObject({ dry_run: z.boolean().optional() }),
    status: 200,
    answer: ReconcileAnswer,
    errors: [...MAY_FAIL.TMUX],
    long: true,
    example: { body: { dry_run: true }, answer: { dry_run: true, live: 1, findings: [], doubted: null, unobservable: [] } },
  },
} as const satisfies Record<string, Contract>;
