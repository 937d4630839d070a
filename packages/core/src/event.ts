import * as z from "zod";
import { Activity } from "./activity/activity.js";
import { ReportKind } from "./activity/message.js";
import { SessionId, Slug } from "./id/ids.js";
import { SessionState, StopCause } from "./session/record.js";
import { SessionHost } from "./session/session.js";
import { Timestamp } from "./time/timestamp.js";
import { BudgetScope } from "./usage/budget.js";
import { TokenCounts } from "./usage/token-counts.js";
import { ContextFill } from "./usage/usage-record.js";
import { PullRequestItemKind } from "./workspace/pull-request.js";

/** The reason as a `snake_case` word, listed in `docs/events.md` (swimmers 1.3, trusty-mpm 5). Open: a newer tmpm may use others. */
export const ReasonCode = z.string().regex(/^[a-z][a-z0-9_]*$/, "not a reason code");
export type ReasonCode = z.infer<typeof ReasonCode>;

const count = z.number().int().nonnegative();
const common = { at: Timestamp, project_id: Slug.optional(), reason: ReasonCode.nullable().optional() };
const ofSession = { ...common, session_id: SessionId };
/** Events that may belong to no session. */
const ofAny = { ...common, session_id: SessionId.nullable() };

const lifecycle = [
  z.object({ ...ofSession, type: z.literal("session_created"), name: z.string(), agent: z.string() }),
  z.object({
    ...ofSession,
    type: z.literal("session_state_changed"),
    from: SessionState,
    to: SessionState,
    cause: StopCause.nullable(),
  }),
  z.object({ ...ofSession, type: z.literal("session_activity_changed"), activity: Activity }),
  z.object({ ...ofSession, type: z.literal("session_renamed"), from: z.string(), to: z.string() }),
  z.object({ ...ofSession, type: z.literal("session_adopted"), name: z.string(), tmux_name: z.string().nullable() }),
  /** `server` is the socket of the tmux server, `pid` the process of a native agent. */
  z.object({
    ...ofAny,
    type: z.literal("session_discovered"),
    origin: SessionHost,
    name: z.string(),
    server: z.string().nullable(),
    pid: z.number().int().positive().nullable(),
  }),
  /** `status` is the program's exit status, `signal` the number of the signal that ended it. */
  z.object({
    ...ofSession,
    type: z.literal("session_exited"),
    status: z.number().int().nullable(),
    signal: z.number().int().nullable(),
    last_line: z.string().nullable(),
  }),
  z.object({
    ...ofSession,
    type: z.literal("session_stopped"),
    cause: StopCause.nullable(),
    survivors: z.array(z.number().int()).optional(),
  }),
  z.object({ ...ofSession, type: z.literal("session_resumed"), conversation_id: z.string().nullable() }),
  /** `reason` says whether the agent began another conversation itself (`agent`), or could not resume the previous one (`not_resumed`). */
  z.object({ ...ofSession, type: z.literal("session_conversation_changed"), from: z.string(), to: z.string().nullable() }),
  /** These fields of its record were set. */
  z.object({ ...ofSession, type: z.literal("session_edited"), fields: z.array(z.string()) }),
  /** Another program overwrote a change to its record; both versions are in the file at `path`. */
  z.object({ ...ofSession, type: z.literal("session_overwritten"), path: z.string() }),
  z.object({ ...ofSession, type: z.literal("session_paused"), summary: z.string().nullable() }),
  z.object({ ...ofSession, type: z.literal("session_unpaused") }),
  z.object({ ...ofSession, type: z.literal("session_archived") }),
  z.object({ ...ofSession, type: z.literal("session_reactivated") }),
  /** Decommissioned; where the workspace stayed, `reason` says why. */
  z.object({ ...ofSession, type: z.literal("session_removed"), workspace_removed: z.boolean() }),
  z.object({ ...ofSession, type: z.literal("session_deleted"), tmux_session_alive: z.boolean().nullable() }),
  z.object({
    ...ofSession,
    type: z.literal("session_finished"),
    how: z.enum(["merge", "squash", "rebase"]),
    ref: z.string(),
    from: z.string(),
    to: z.string(),
    checkout: z.string().nullable(),
  }),
  /** The check of its group ran in its work tree; `failure` is null when it passed. */
  z.object({ ...ofSession, type: z.literal("session_checked"), failure: z.string().nullable() }),
  /** It was picked from its group; `rest` are the others, which were removed. */
  z.object({ ...ofSession, type: z.literal("session_picked"), group: z.string(), rest: z.array(SessionId) }),
  /** Its branch was pushed; `existed` says that the pull request was open before. */
  z.object({
    ...ofSession,
    type: z.literal("pull_request_opened"),
    number: z.number().int().positive(),
    url: z.string(),
    branch: z.string(),
    base: z.string(),
    commit: z.string(),
    existed: z.boolean(),
  }),
  /** A new or edited item of its pull request; `item` and `version` identify its state. Events never contain people's text from there. */
  z.object({
    ...ofSession,
    type: z.literal("pull_request_news"),
    number: z.number().int().positive(),
    item: z.string(),
    version: z.string(),
    kind: PullRequestItemKind,
    author: z.string().nullable(),
    url: z.string(),
    title: z.string(),
    edited: z.boolean(),
    asks: z.boolean(),
  }),
  z.object({ ...ofSession, type: z.literal("session_undone"), to: SessionState }),
] as const;

const work = [
  z.object({
    ...ofSession,
    type: z.literal("session_text_sent"),
    outcome: z.string(),
    bytes: z.number().int(),
    send_id: z.string().optional(),
  }),
  /** A comment on a line that the session changed; `side` is `new`, or `old` for the file before the changes. */
  z.object({ ...ofSession, type: z.literal("comment_added"), comment_id: z.string(), path: z.string(), line: count, side: z.string() }),
  z.object({ ...ofSession, type: z.literal("comments_dropped"), count }),
  /** Open comments were sent as one prompt. */
  z.object({ ...ofSession, type: z.literal("comments_sent"), count, send_id: z.string().nullable() }),
  z.object({ ...ofSession, type: z.literal("decision_opened"), decision_id: z.string(), question: z.string() }),
  /** `answer` is the label of the chosen option, never typed text. */
  z.object({ ...ofSession, type: z.literal("decision_answered"), decision_id: z.string(), answer: z.string().nullable() }),
  /** A session asks a user a question of its own. */
  z.object({ ...ofSession, type: z.literal("question_asked"), question_id: z.string(), question: z.string() }),
  /** `by` is the session that answered, null for a user. Events never contain the answer. */
  z.object({ ...ofSession, type: z.literal("question_answered"), question_id: z.string(), by: SessionId.nullable() }),
  z.object({ ...ofSession, type: z.literal("question_withdrawn"), question_id: z.string() }),
  /** `to` is the session that started it, null for a user. */
  z.object({ ...ofSession, type: z.literal("session_reported"), report_id: z.string(), kind: ReportKind, to: SessionId.nullable() }),
  z.object({
    ...ofSession,
    type: z.literal("thought_updated"),
    thought: z.string().nullable(),
    thought_state: z.string(),
    rest_state: z.string(),
    stream_instance_id: z.string().nullable(),
    emission_seq: count,
    thought_source: z.string().optional(),
    token_count: count.optional(),
    context_limit: count.optional(),
    objective_changed_at: Timestamp.nullable().optional(),
    persistence_degraded: z.boolean().optional(),
  }),
  /** `waiting` prompts of the session are queued, including this one. */
  z.object({ ...ofSession, type: z.literal("turn_queued"), turn_id: z.string(), waiting: count }),
  z.object({ ...ofSession, type: z.literal("turn_started"), turn_id: z.string() }),
  z.object({ ...ofSession, type: z.literal("turn_waiting"), turn_id: z.string(), decision_id: z.string() }),
  /** `cause` is why a turn was cancelled, `code` (of `ERRORS`) why one failed. */
  z.object({
    ...ofSession,
    type: z.literal("turn_ended"),
    turn_id: z.string(),
    outcome: z.string(),
    cause: z.string().nullable(),
    code: z.string().nullable().optional(),
  }),
  /** Usage of a turn, of its session in total, and of the context where the agent reports it. */
  z.object({
    ...ofSession,
    type: z.literal("usage_counted"),
    turn_id: z.string(),
    used: TokenCounts,
    total: TokenCounts,
    context: ContextFill.nullable(),
  }),
  /**
   * `percent` (80 or 100) of a bound is used; at 100 the queues of its sessions are held. `budget` is `tokens`, `turns` or `minutes`; for a
   * project's budget, the session is the one that reached it.
   */
  z.object({
    ...ofSession,
    type: z.literal("budget_reached"),
    scope: BudgetScope.default("session"),
    budget: z.string(),
    percent: count,
    used: count,
    limit: count,
  }),
] as const;

const surroundings = [
  /** A step of making a workspace, in words; emitted when it begins. */
  z.object({ ...ofSession, type: z.literal("workspace_progress"), step: z.string() }),
  z.object({ ...ofAny, type: z.literal("workspace_created"), path: z.string(), branch: z.string().nullable() }),
  /** `failed` is the failed step; null when all succeeded. */
  z.object({ ...ofSession, type: z.literal("workspace_set_up"), path: z.string(), failed: z.string().nullable() }),
  /** The project file's clean-up ran before it went to the trash; `failed` is the failed step. */
  z.object({ ...ofSession, type: z.literal("workspace_torn_down"), path: z.string(), failed: z.string().nullable() }),
  z.object({ ...ofAny, type: z.literal("workspace_removed"), path: z.string(), trash_path: z.string().nullable() }),
  z.object({
    ...ofAny,
    type: z.literal("reconcile_finished"),
    live: count,
    changed: count,
    unknown: count,
    adopted: count,
    discovered: count,
  }),
  /** An observation in which too many sessions seemed gone at once is suspected; nothing was changed. */
  z.object({ ...ofAny, type: z.literal("observer_suspected"), affected: count, total: count }),
  z.object({ ...ofSession, type: z.literal("auto_resume_parked"), deaths: count }),
  /** A request that continues in the background; `route` is its route. */
  z.object({ ...ofAny, type: z.literal("operation_started"), operation_id: z.string(), route: z.string() }),
  /** `outcome` is `done` or `failed`, `code` that of the failure. */
  z.object({
    ...ofAny,
    type: z.literal("operation_ended"),
    operation_id: z.string(),
    route: z.string(),
    outcome: z.string(),
    code: z.string().nullable(),
  }),
  /** A notification about these sessions, by name, was sent; `kind` is that of the most urgent, `channels` those used, possibly none. */
  z.object({
    ...ofAny,
    type: z.literal("notified"),
    kind: z.string(),
    title: z.string(),
    sessions: z.array(z.string()),
    channels: z.array(z.string()),
  }),
  /** Number of events before this one that could not be stored. */
  z.object({ ...ofAny, type: z.literal("events_lost"), count }),
] as const;

/** An event before the journal numbers it. */
export const EventBody = z.discriminatedUnion("type", [...lifecycle, ...work, ...surroundings]);
export type EventBody = z.infer<typeof EventBody>;

export type EventType = EventBody["type"];

/** A numbered event. Numbers have no gaps; a consumer ignores types that it does not know. */
export const Event = z.intersection(z.object({ seq: z.number().int().positive() }), EventBody);
export type Event = z.infer<typeof Event>;
