import * as z from "zod";
import { Grant, Lineage } from "../grant/grant.js";
import { SessionId, Slug } from "../id/ids.js";
import { DEFAULT_PROJECT } from "../id/slug.js";
import { keepUnknown } from "../keep-unknown.js";
import { Timestamp } from "../time/timestamp.js";
import { Budget } from "../usage/budget.js";
import { SessionPorts, SessionSetup } from "../workspace/setup.js";
import { Workspace } from "../workspace/workspace.js";
import { Finished } from "./finished.js";
import { ForkPoint } from "./fork-point.js";
import { SessionOverrides } from "./overrides.js";
import { ControlModel, SessionHost } from "./session.js";
import { SessionGroup } from "./session-group.js";

/** The newest document version that this code reads and writes. A newer one is listed and never written. */
export const SCHEMA_VERSION = 1;

export const SessionState = z.enum(["provisioning", "active", "stopped", "errored", "decommissioned", "deleted"]);
export type SessionState = z.infer<typeof SessionState>;

/** Why a session stopped. Only `unexpected` is ever resumed automatically. */
export const StopCause = z.enum(["deliberate", "unexpected", "resume_flapping"]);
export type StopCause = z.infer<typeof StopCause>;

/** A tmux pane's full identity: pane ids are reused after a server restart, and names match as prefixes and globs. */
export const PaneIdentity = keepUnknown({
  socket: z.string(),
  server_pid: z.number().int().positive(),
  /** The server's `start_time`, in seconds since 1970. */
  server_start: z.number().int().nonnegative(),
  pane_id: z.string().regex(/^%\d+$/),
});
export type PaneIdentity = z.infer<typeof PaneIdentity>;

/** An operation that a crash may have interrupted: written before the effect, cleared after it. */
export const Intent = keepUnknown({
  op: z.enum(["create", "resume", "restart", "stop", "rename", "remove", "undo", "finish"]),
  step: z.string(),
  key: z.string(),
  at: Timestamp,
  /** The target host of a restart, if it differs. */
  control: ControlModel.optional(),
  /** The name before a rename. */
  from: z.string().optional(),
  /** The refs that a finish moves. */
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

/** Token counts and price as the agent reports them; `cost_usd` is null when unknown. */
export const Cost = keepUnknown({
  input_tokens: z.number().int().nonnegative(),
  output_tokens: z.number().int().nonnegative(),
  cache_read_tokens: z.number().int().nonnegative().default(0),
  cache_creation_tokens: z.number().int().nonnegative().default(0),
  cost_usd: z.number().nullable().default(null),
});
export type Cost = z.infer<typeof Cost>;

/** The adapter's data for launching the same agent again. `argv` is the program for agent `command`. */
export const AgentConfig = z.looseObject({
  argv: z.array(z.string()).optional(),
  model: z.string().optional(),
  /** The agent's permission mode, in its own words. */
  permissions: z.string().optional(),
  /** The `PATH` in which the program was found, and which the session inherits. */
  search_path: z.string().optional(),
});
export type AgentConfig = z.infer<typeof AgentConfig>;

/** A terminal that tmpm did not start: where it was found. */
export const Adopted = keepUnknown({ socket: z.string(), tmux_name: z.string(), at: Timestamp });
export type Adopted = z.infer<typeof Adopted>;

/**
 * The automatic launches, oldest first, and when the next is due; null when none is. `launched_at` is that of the resulting launch, null
 * when it failed: a later launch with another time was requested, and the attempts before it no longer count.
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
  /** When the session was last observed running, written at most once a minute. */
  last_seen_at: nullableTime,
  terminal_at: nullableTime,
  agent: Slug,
  agent_config: AgentConfig.default({}),
  overrides: SessionOverrides.default({}),
  conversation_id: nullableString,
  /** Why its last launch did not resume its conversation; null when it did, or there was none. */
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
  /** When a user's terminal was last seen attached since the launch. */
  viewed_at: nullableTime,
  pending_decision: nullableString,
  proposed_default: nullableString,
  workspace_path: nullableString,
  workspace_owned: z.boolean().default(false),
  workspace: Workspace.nullable().default(null),
  /** Null for sessions outside a repository, and for those created before it was recorded. */
  fork: ForkPoint.nullable().default(null),
  /** How its work was merged when it was finished; null unless it was. */
  finished: Finished.nullable().default(null),
  setup: SessionSetup.nullable().default(null),
  /** The setup of its workspace, while unfinished; null without one. */
  ports: SessionPorts.nullable().default(null),
  worktree_owner: nullableString,
  repo_url: nullableString,
  branch: nullableString,
  correlation: Correlation.default({ worktree: null, branch: null, pr_id: null, issue_id: null }),
  issue_id: nullableString,
  issue_url: nullableString,
  claimed_pr_number: z.number().int().nonnegative().nullable().default(null),
  claimed_pr_url: nullableString,
  /** The session that started it with its own token, and its origin; null for a user. */
  spawned_by: SessionId.nullable().default(null),
  lineage: Lineage.nullable().default(null),
  /** Its rights over other sessions; null for none. */
  grant: Grant.nullable().default(null),
  /** The client that it was created for, and the client's mode; null when unowned. */
  owner: Slug.nullable().default(null),
  mode: Slug.nullable().default(null),
  /** The group that it was started in for comparison; null without one. */
  group: SessionGroup.nullable().default(null),
  cost: Cost.nullable().default(null),
  budget: Budget.nullable().default(null),
  /** Budget of the session and its descendants together. */
  lineage_budget: Budget.nullable().default(null),
  ephemeral: z.boolean().default(false),
  /** Notifications of the session; null for the default. */
  notify: z.enum(["on", "off"]).nullable().default(null),
  /** `owner/repo` of its repository's remote. */
  source_id: nullableString,
  /** Id of its deliverable in the planning system. */
  deliverable_id: nullableString,
  /** Its program's directory when it was stopped. */
  last_cwd: nullableString,
});
export type SessionRecord = z.infer<typeof SessionRecord>;
