import { join } from "node:path";
import type { AgentAdapter, LaunchPlan } from "@tmpm/agents";
import {
  agentEnv,
  type ControlModel,
  correlated,
  DEFAULT_PROJECT,
  grantOf,
  SCHEMA_VERSION,
  type SessionOverrides,
  SessionRecord,
  sourceIdOf,
  TmpmError,
  timestampFromMs,
  tmuxNameFromName,
  type Workspace,
} from "@tmpm/core";
import type { DirectoryFacts, WorkspaceRequest } from "@tmpm/workspace";
import type { Context } from "../context.js";
import { arrivesAsItIs } from "../delivery/plain-text.js";
import { utf8Bytes } from "../delivery/receipt.js";
import { requireLineage } from "../grants/require-lineage.js";
import { planReporting } from "../hooks/plan-reporting.js";
import type { RecordNotes } from "../notes-from.js";
import type { CreateInput } from "../operations/create.js";
import { withOverrides } from "../overrides/session-overrides.js";
import { requireRoom } from "../owners/require-room.js";
import { projectIdAt, projectIdOf } from "../projects/registry.js";
import { budgetHold } from "../usage/budget.js";
import type { BudgetSubject } from "../usage/budgets.js";
import { forkOfDirectory, forkOfWorkspace } from "../workspace/fork-of.js";
import { givePorts } from "../workspace/ports.js";
import { forgetUnlaunched, PROVISIONING, provisionWorkspace } from "../workspace/provision-workspace.js";
import { setUp } from "../workspace/set-up.js";
import { nameOfRepository } from "../workspace/workspace-wish.js";
import { requireFreeIssue } from "./require-free-issue.js";
import { chooseName, choosingNames } from "./session-names.js";

export interface NewSession {
  readonly input: CreateInput;
  readonly id: string;
  readonly adapter: AgentAdapter;
  readonly prompt: string | null;
  /** The id of the prompt's turn; null without a prompt. */
  readonly turnId: string | null;
  readonly control: ControlModel;
  /** Checked against the agent's supported ones. */
  readonly overrides: SessionOverrides;
  /** The caller's notes, validated. */
  readonly noted: RecordNotes;
  /** The requested directory: its own, or the source of its workspace. */
  readonly directory: DirectoryFacts;
}

/** A new session, and what follows its record. */
export interface Reserving extends NewSession {
  /** Accepts the prompt once the session is recorded, before anything is created; `carried`: the launch will pass it. */
  readonly accept: (record: SessionRecord, carried: boolean) => Promise<void>;
}

/** A session that has its record, with its launch plan. */
export interface ReservedSession {
  readonly record: SessionRecord;
  readonly plan: LaunchPlan;
}

/**
 * Reserves id and name for a session that works in the directory as it is. The caller holds the session's queue, so that its intent is not
 * mistaken for an abandoned one.
 */
export async function reserveHere(ctx: Context, wanted: Reserving): Promise<ReservedSession> {
  const project = await projectOf(ctx, wanted);
  const carried = await isCarried(ctx, { ...wanted, project });
  const plan = await planLaunch(ctx, { ...wanted, project, carried, cwd: wanted.input.cwd });
  const record = await reserve(ctx, { ...wanted, project, workspace: null, conversationId: plan.conversationId });
  await wanted.accept(record, carried);
  return { record, plan };
}

/**
 * Likewise for a session with a workspace of its own, which is made before the launch is planned, and then set up. On failure nothing is
 * left, except after a failed setup.
 */
export async function reserveInWorkspace(ctx: Context, wanted: Reserving, source: WorkspaceRequest["source"]): Promise<ReservedSession> {
  const { id, input } = wanted;
  await requireInstalled(wanted.adapter, launchEnvironment(ctx, wanted));
  const project = await projectOf(ctx, wanted);
  const place = source.kind === "clone" ? source.from : source.directory;
  const name = input.name ?? nameOfRepository(place);
  const request = { sessionId: id, name, projectId: project, source, branch: input.branch ?? null, base: input.base ?? null };
  if (input.fetch ?? false) await ctx.workspaces.fetch(request);
  const workspace = await ctx.workspaces.plan(request);
  const carried = await isCarried(ctx, { ...wanted, project });
  const reserved = await reserve(ctx, { ...wanted, project, workspace, conversationId: null });
  await wanted.accept(reserved, carried);
  const made = await planIn(ctx, { wanted, carried, record: await provisionWorkspace(ctx, { record: reserved, request }) });
  return { ...made, record: await setUp(ctx, { record: made.record, consent: input.setup }) };
}

/** A reserved session whose first prompt was cancelled before its launch began: the launch passes none. */
export function withoutPrompt(
  ctx: Context,
  { wanted, reserved }: { readonly wanted: NewSession; readonly reserved: ReservedSession },
): Promise<ReservedSession> {
  return planIn(ctx, { wanted, record: reserved.record, carried: false });
}

async function planIn(
  ctx: Context,
  { wanted, record, carried }: { readonly wanted: NewSession; readonly record: SessionRecord; readonly carried: boolean },
): Promise<ReservedSession> {
  try {
    const plan = await planLaunch(ctx, { ...wanted, carried, project: record.project_id, cwd: record.cwd });
    const planned = await ctx.store.update(record.id, (current) => ({ ...current, conversation_id: plan.conversationId }));
    return { plan, record: await givePorts(ctx, planned) };
  } catch (error) {
    if (error instanceof TmpmError) await forgetUnlaunched(ctx, { record, error });
    throw error;
  }
}

/** Checked before anything is made, because a clone may take long. */
async function requireInstalled(adapter: AgentAdapter, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const found = await adapter.detect(env);
  if (!found.installed) throw new TmpmError("AGENT_NOT_INSTALLED", `${adapter.title} is not installed`, { hint: found.hint });
}

interface Planning extends NewSession {
  readonly project: string;
}

/** Decides whether the launch passes the first prompt. */
async function isCarried(ctx: Pick<Context, "usage">, wanted: Planning): Promise<boolean> {
  const { adapter, prompt } = wanted;
  if (prompt === null || utf8Bytes(prompt) > adapter.limits.promptInArgv || !arrivesAsItIs(adapter, prompt)) return false;
  return (await budgetHold(ctx, boundedOf(wanted))) === null;
}

/** @throws LAUNCH_FAILED if the agent does not take a prompt that its limits allow */
async function planLaunch(ctx: Context, wanted: Planning & { readonly cwd: string; readonly carried: boolean }): Promise<LaunchPlan> {
  const { adapter, input, id, prompt, cwd, carried } = wanted;
  const request = {
    sessionId: id,
    cwd,
    prompt: carried ? prompt : null,
    conversationId: null,
    config: { argv: input.argv, ...wanted.overrides },
    env: launchEnvironment(ctx, wanted),
    newId: ctx.newId,
    trusted: input.trust ?? false,
  };
  const plan = await planReporting(ctx, { adapter, request, granted: input.grant !== undefined && input.grant.reach !== "none" });
  if (carried && !plan.carriesPrompt) throw new TmpmError("LAUNCH_FAILED", `${adapter.title} does not accept its first prompt at launch`);
  return { ...plan, carriesPrompt: carried };
}

/** A prompt carried by the launch would bypass a queue held by a budget. */
function boundedOf({ id, input, project }: Planning): BudgetSubject {
  const { parent = null, lineage = null } = input.spawned ?? {};
  return { id, name: id, project_id: project, spawned_by: parent, lineage, budget: null, lineage_budget: null };
}

function launchEnvironment(ctx: Pick<Context, "settings">, { adapter, input }: NewSession): Readonly<Record<string, string>> {
  return {
    ...ctx.settings.sessionEnv,
    ...agentEnv(adapter.id, input.env ?? {}),
    ...(input.search_path === undefined ? {} : { PATH: input.search_path }),
  };
}

async function projectOf(
  ctx: Pick<Context, "describeDirectory" | "projectStore" | "report">,
  { input, directory }: NewSession,
): Promise<string> {
  if (input.project_id !== undefined) return projectIdOf(ctx, input.project_id);
  const around = directory.kind === "directory" ? await projectIdAt(ctx, directory.realPath) : null;
  return around ?? DEFAULT_PROJECT;
}

interface Reservation extends NewSession {
  readonly project: string;
  /** Planned; null for a session without a workspace. */
  readonly workspace: Workspace | null;
  readonly conversationId: string | null;
}

/** Reserves id and name by writing the record, before anything is made or started. */
function reserve(ctx: Context, wanted: Reservation): Promise<SessionRecord> {
  return choosingNames(ctx, async () => {
    const { id, input, project, workspace } = wanted;
    await requireRoom(ctx, { owner: input.owner ?? null, mode: input.mode ?? null, evicts: input.evict_siblings ?? false });
    if (input.spawned !== undefined) await requireLineage(ctx, input.spawned);
    const cwd = workspace === null ? input.cwd : `/${nameOfRepository(workspace.source)}`;
    await requireFreeIssue(ctx, { project, issue: wanted.noted.issue_id ?? undefined, shared: input.duplicate_issue ?? false });
    const name = await chooseName(ctx, { id, cwd, name: input.name, hint: input.name_hint });
    const record = await ctx.store.create(newRecord(ctx, { ...wanted, name }));
    ctx.emit({ type: "session_created", at: record.created_at, session_id: record.id, name: record.name, agent: record.agent });
    await ctx.reached("create.reserved");
    return record;
  });
}

function newRecord(ctx: Pick<Context, "clock">, wanted: Reservation & { readonly name: string }): SessionRecord {
  const { input, id, adapter, prompt, name, project, workspace, overrides } = wanted;
  const now = timestampFromMs(ctx.clock.now());
  const placed = placeOf(wanted);
  return SessionRecord.parse({
    schema_version: SCHEMA_VERSION,
    id,
    name,
    tmux_name: tmuxNameFromName(name),
    project_id: project,
    cwd: workspace === null ? input.cwd : join(workspace.path, workspace.folder),
    task: prompt ?? "",
    ...wanted.noted,
    state: "provisioning",
    created_at: now,
    updated_at: now,
    agent: adapter.id,
    control: wanted.control,
    ...withOverrides(
      {
        ...(input.argv === undefined ? {} : { argv: [...input.argv] }),
        ...(input.search_path === undefined ? {} : { search_path: input.search_path }),
      },
      overrides,
    ),
    conversation_id: wanted.conversationId,
    intent: { op: "create", step: workspace === null ? "open" : PROVISIONING, key: id, at: now },
    ephemeral: input.ephemeral ?? false,
    spawned_by: input.spawned?.parent ?? null,
    lineage: input.spawned?.lineage ?? null,
    grant: input.grant === undefined ? null : grantOf(input.grant),
    owner: input.owner ?? null,
    mode: input.mode ?? null,
    group: input.group ?? null,
    ...placed,
    correlation: correlated(placed.correlation, wanted.noted),
  });
}

/** The record's fields about the directory and its repository. */
function placeOf({ id, directory, workspace }: Reservation) {
  const git = directory.kind === "directory" ? directory.git : null;
  if (workspace === null)
    return {
      project_path: git?.root ?? null,
      repo_url: git?.remote ?? null,
      source_id: sourceIdOf(git?.remote ?? null),
      branch: git?.branch ?? null,
      fork: forkOfDirectory(directory),
      correlation: { worktree: null, branch: null, pr_id: null, issue_id: null },
    };
  const { kind, path, source, branch } = workspace;
  const linked = kind === "worktree";
  return {
    workspace,
    workspace_path: path,
    worktree_owner: linked ? id : null,
    project_path: linked || source.startsWith("/") ? source : null,
    repo_url: linked ? (git?.remote ?? null) : source,
    source_id: sourceIdOf(linked ? (git?.remote ?? null) : source),
    fork: forkOfWorkspace(workspace, linked ? (git?.remote ?? null) : source),
    branch,
    correlation: { worktree: path, branch, pr_id: null, issue_id: null },
  };
}
