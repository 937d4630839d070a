import * as z from "zod";
import { Finished } from "./finished.js";
import { ForkPoint } from "./fork-point.js";
import { Grant, Lineage } from "./grant.js";
import { SessionId, Slug } from "./ids.js";
import { keepUnknown } from "./keep-unknown.js";
import { SessionOverrides } from "./overrides.js";
import { ControlModel, SessionHost } from "./session.js";
import { SessionGroup } from "./session-group.js";
import { SessionPorts, SessionSetup } from "./setup.js";
import { DEFAULT_PROJECT } from "./slug.js";
import { Timestamp } from "./timestamp.js";
import { Budget } from "./usage/budget.js";
import { Workspace } from "./workspace.js";

/** The newest document version that this code reads and writes. A newer one is listed and never written. */
export const SCHEMA_VERSION = 1;

export const SessionState = z.enum(["provisioning", "active", "stopped", "errored", "decommissioned", "deleted"]);
export type SessionState = z.infer<typeof SessionState>;

/** Why a session stopped. Only `unexpected` is ever resumed without being asked. */
export const StopCause = z.enum(["deliberate", "unexpected", "resume_flapping"]);
export type StopCause = z.infer<typeof StopCause>;

/** A tmux pane that cannot be mistaken for another: pane ids are reused after a server restart, names are prefixes and globs. */
export const PaneIdentity = keepUnknown({
  socket: z.string(),
  server_pid: z.number().int().positive(),
  /** The server's `start_time`, in seconds since 1970. */
  server_start: z.number().int().nonnegative(),
  pane_id: z.string().regex(/^%\d+$/),
});
export type PaneIdentity = z.infer<typeof PaneIdentity>;

/** What a crash may have interrupted: written before the effect, cleared after it. */
export const Intent = keepUnknown({
  op: z.enum(["create", "resume", "restart", "stop", "rename", "remove", "undo", "finish"]),
  step: z.string(),
  key: z.string(),
  at: Timestamp,
  /** The host that a restart moves to, if it is another one. */
  control: ControlModel.optional(),
  /** What a finish moves. */
  finish: Finished.optional(),
});
export type Intent = z.infer<typeof Intent>;

/** How the session's program ended; `status` is its exit status, `signal` the number of the signal that ended it. */
export const Exit = keepUnknown({
  status: z.number().int().nullable(),
  signal: z.number().int().nullable(),
  at: Timestamp,
});
export type Exit = z.infer<typeof Exit>;

export const RecordError = keepUnknown({ code: z.string(), message: z.string(), at: Timestamp });
export type RecordError = z.infer<typeof RecordError>;

export const Correlation = keepUnknown({
  worktree: z.string().nullable().default(null),
  branch: z.string().nullable().default(null),
  pr_id: z.number().int().nonnegative().nullable().default(null),
  issue_id: z.number().int().nonnegative().nullable().default(null),
});
export type Correlation = z.infer<typeof Correlation>;

/** Token counts and price as the agent reports them; `cost_usd` null means the price is not known. */
export const Cost = keepUnknown({
  input_tokens: z.number().int().nonnegative(),
  output_tokens: z.number().int().nonnegative(),
  cache_read_tokens: z.number().int().nonnegative().default(0),
  cache_creation_tokens: z.number().int().nonnegative().default(0),
  cost_usd: z.number().nullable().default(null),
});
export type Cost = z.infer<typeof Cost>;

/** What the adapter needs to launch the same agent again. `argv` is the program for agent `command`. */
export const AgentConfig = z.looseObject({
  argv: z.array(z.string()).optional(),
  model: z.string().optional(),
  /** What the agent may do unasked, in its own words. */
  permissions: z.string().optional(),
  /** The `PATH` in which the program was found, and which the session inherits. */
  search_path: z.string().optional(),
});
export type AgentConfig = z.infer<typeof AgentConfig>;

/** A terminal that tmpm did not start: where it was found. */
export const Adopted = keepUnknown({ socket: z.string(), tmux_name: z.string(), at: Timestamp });
export type Adopted = z.infer<typeof Adopted>;

/**
 * The launches that were not requested, oldest first, and when the next is due; null when none is. `launched_at` is that of the launch that came of it, null
 * when none did: a later launch with another time was asked for, and the attempts before it no longer count.
 */
export const AutoResume = keepUnknown({
  attempts: z.array(keepUnknown({ at: Timestamp, launched_at: Timestamp.nullable() })),
  next_at: Timestamp.nullable(),
});
export type AutoResume = z.infer<typeof AutoResume>;

const nullableString = z.string().nullable().default(null);
const nullableTime = Timestamp.nullable().default(null);

/**
 * The durable record of a session. Later fields have defaults, so that older documents load; fields that this version does not know are kept.
 * `rev` grows by one with every write; `cwd` and `workspace_path` are absolute paths.
 */
export const SessionRecord = z.looseObject({
  schema_version: z.literal(SCHEMA_VERSION).default(SCHEMA_VERSION),
  rev: z.number().int().nonnegative().default(0),
  id: SessionId,
  name: Slug,
  tmux_name: z.string(),
  project_id: Slug.default(DEFAULT_PROJECT),
  project_path: nullableString,
  cwd: z.string(),
  task: z.string().default(""),
  state: SessionState,
  created_at: Timestamp,
  updated_at: Timestamp,
  launched_at: nullableTime,
  last_activity_at: nullableTime,
  /** The last proof of life, as far as it was worth writing: at most once a minute. */
  last_seen_at: nullableTime,
  terminal_at: nullableTime,
  agent: Slug,
  agent_config: AgentConfig.default({}),
  overrides: SessionOverrides.default({}),
  conversation_id: nullableString,
  /** Why its last launch did not resume the conversation that it had; null when it did, or there was none. */
  conversation_note: nullableString,
  control: ControlModel.default("Tmux"),
  origin: SessionHost.default("tmux"),
  pane: PaneIdentity.nullable().default(null),
  pid: z.number().int().positive().nullable().default(null),
  intent: Intent.nullable().default(null),
  adopted: Adopted.nullable().default(null),
  auto_resume: AutoResume.nullable().default(null),
  stop_cause: StopCause.nullable().default(null),
  exit: Exit.nullable().default(null),
  last_lines: z.array(z.string()).default([]),
  last_error: RecordError.nullable().default(null),
  paused_at: nullableTime,
  pause_summary: nullableString,
  /** When a person's terminal was last seen attached since the launch. */
  viewed_at: nullableTime,
  pending_decision: nullableString,
  proposed_default: nullableString,
  workspace_path: nullableString,
  workspace_owned: z.boolean().default(false),
  workspace: Workspace.nullable().default(null),
  /** Null for sessions outside of a repository, and for those made before it was recorded. */
  fork: ForkPoint.nullable().default(null),
  /** How its work was merged when it was finished; null when it was not. */
  finished: Finished.nullable().default(null),
  setup: SessionSetup.nullable().default(null),
  /** Of its workspace, while it is not finished; null without any. */
  ports: SessionPorts.nullable().default(null),
  worktree_owner: nullableString,
  repo_url: nullableString,
  branch: nullableString,
  correlation: Correlation.default({ worktree: null, branch: null, pr_id: null, issue_id: null }),
  issue_id: nullableString,
  issue_url: nullableString,
  claimed_pr_number: z.number().int().nonnegative().nullable().default(null),
  claimed_pr_url: nullableString,
  /** The session that started it with its own token, and where that one comes from; null when a person did. */
  spawned_by: SessionId.nullable().default(null),
  lineage: Lineage.nullable().default(null),
  /** What it may do to other sessions; null for nothing. */
  grant: Grant.nullable().default(null),
  /** The client that it was made for, and in which of its modes; null when unowned. */
  owner: Slug.nullable().default(null),
  mode: Slug.nullable().default(null),
  /** The sessions that it was started with, to be compared; null when it was started alone. */
  group: SessionGroup.nullable().default(null),
  cost: Cost.nullable().default(null),
  budget: Budget.nullable().default(null),
  /** Of the session and all that descend from it, together. */
  lineage_budget: Budget.nullable().default(null),
  ephemeral: z.boolean().default(false),
  /** Notifications of the session; null for the default. */
  notify: z.enum(["on", "off"]).nullable().default(null),
  /** `owner/repo` of where its repository comes from. */
  source_id: nullableString,
  /** Id of its deliverable in the planning system. */
  deliverable_id: nullableString,
  /** The directory that its program was in when it was stopped. */
  last_cwd: nullableString,
});
export type SessionRecord = z.infer<typeof SessionRecord>;
