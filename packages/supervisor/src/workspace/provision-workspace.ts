import { join } from "node:path";
import { hasCode, isHandedOver, type SessionRecord, TmpmError, timestampFromMs, type Workspace } from "@tmpm/core";
import type { MakeProgress, WorkspaceRequest } from "@tmpm/workspace";
import type { Context } from "../context.js";
import { forgetForGood } from "../housekeeping/forget-for-good.js";
import { recordChange, recordEvent } from "../record-change.js";
import { isUnlaunched } from "../turns/carried-turn.js";
import { failUnlaunched } from "../turns/follow-carried.js";
import { forkOfWorkspace } from "./fork-of.js";

/** The step of a create intent while its workspace is being made. */
export const PROVISIONING = "workspace";

export interface Provision {
  /** Contains the plan of its workspace. */
  readonly record: SessionRecord;
  readonly request: WorkspaceRequest;
}

const BRANCH_ATTEMPTS = 5;

/** Makes the planned workspace and records it. On failure nothing of it is left, nor of the record. */
export async function provisionWorkspace(ctx: Context, { record, request }: Provision): Promise<SessionRecord> {
  let current = record;
  try {
    await ctx.reached("create.planned");
    for (let attempt = 1; ; attempt++) {
      const made = await make(ctx, { record: current, request, last: attempt === BRANCH_ATTEMPTS });
      if (made.kind === "made") return await recordMade(ctx, { record: current, workspace: made.workspace });
      const { plan } = made;
      current = await ctx.store.update(record.id, (before) => ({ ...before, workspace: plan, branch: plan.branch }));
    }
  } catch (error) {
    if (error instanceof TmpmError) await forgetUnlaunched(ctx, { record: current, error });
    else ctx.requests.sweep.notify();
    throw error;
  } finally {
    ctx.creating.steps.delete(record.id);
  }
}

type Attempt = { readonly kind: "made"; readonly workspace: Workspace } | { readonly kind: "replanned"; readonly plan: Workspace };

/** Of two sessions that chose the same free branch at once, the slower one chooses again. */
async function make(ctx: Context, wanted: Provision & { readonly last: boolean }): Promise<Attempt> {
  const { record, request, last } = wanted;
  const plan = plannedOf(record);
  const onProgress = progressReporter(ctx, record.id);
  try {
    return { kind: "made", workspace: await ctx.workspaces.make(plan, { request, onProgress }) };
  } catch (error) {
    if (!hasCode(error, "GIT_FAILED") || error.effect !== "none" || plan.branch === request.branch || last) throw error;
    const again = await ctx.workspaces.plan(request);
    if (again.branch === plan.branch) throw error;
    return { kind: "replanned", plan: again };
  }
}

/** Reports progress, each step once. */
function progressReporter(ctx: Pick<Context, "clock" | "creating" | "emit">, id: string): (progress: MakeProgress) => void {
  let step: string | null = null;
  return (progress) => {
    ctx.creating.steps.set(id, progressText(progress));
    if (progress.doing === step) return;
    step = progress.doing;
    ctx.emit({ type: "workspace_progress", at: timestampFromMs(ctx.clock.now()), session_id: id, step });
  };
}

function progressText({ doing, percent }: MakeProgress): string {
  return `Making its workspace: ${doing}${percent === null ? "" : ` ${percent} %`}`;
}

function plannedOf({ workspace, name }: SessionRecord): Workspace {
  if (workspace === null) throw new TypeError(`session ${name} has no workspace planned`);
  return workspace;
}

async function recordMade(ctx: Context, made: { readonly record: SessionRecord; readonly workspace: Workspace }): Promise<SessionRecord> {
  const { record, workspace } = made;
  await ctx.reached("create.provisioned");
  const at = timestampFromMs(ctx.clock.now());
  const after = await ctx.store.update(record.id, (current) => ({
    ...current,
    workspace,
    workspace_owned: true,
    cwd: join(workspace.path, workspace.folder),
    branch: workspace.branch,
    fork: forkOfWorkspace(workspace, current.repo_url),
    correlation: { ...current.correlation, branch: workspace.branch },
    intent: current.intent === null ? null : { ...current.intent, step: "open" },
    updated_at: at,
  }));
  ctx.emit({ type: "workspace_created", at, session_id: record.id, path: workspace.path, branch: workspace.branch });
  return after;
}

/**
 * A session that was certainly never launched leaves nothing: first its workspace is removed, then its record. A failed rollback stays,
 * with the reason. So does a session that its caller already knows.
 */
export async function forgetUnlaunched(ctx: Context, { record, error: cause }: Unlaunched): Promise<void> {
  if (record.workspace !== null && !(await takenBack(ctx, record))) {
    const message = `it was never launched (${cause.message}), and its workspace could not be removed`;
    const error = { code: "LAUNCH_FAILED", message } as const;
    await recordEvent(ctx, record.id, { type: "failed", error, exit: null, last_lines: [] });
    await endPrompts(ctx, { record, error });
    return;
  }
  await endPrompts(ctx, { record, error: cause });
  if (ctx.creating.answered.has(record.id)) await keepFailed(ctx, { record, error: cause });
  else await forgetForGood(ctx, record.id);
}

interface Unlaunched {
  readonly record: SessionRecord;
  readonly error: TmpmError;
}

interface Failed {
  readonly record: SessionRecord;
  readonly error: Pick<TmpmError, "code" | "message">;
}

async function keepFailed(ctx: Context, { record, error: { code, message } }: Failed): Promise<void> {
  await recordChange(ctx, {
    id: record.id,
    change: () => ({ type: "failed", error: { code, message }, exit: null, last_lines: [] }),
    also: () => ({ workspace: null, workspace_owned: false }),
  });
}

/** Its first prompt has an outcome, with the reason, before it is forgotten. */
async function endPrompts(ctx: Pick<Context, "deliveries" | "turns">, { record: { id }, error }: Failed): Promise<void> {
  const running = ctx.deliveries.of(id);
  for (const each of running) each.takeBack("session_ended", ["the agent was not launched", error.message]);
  await Promise.allSettled(running.map(({ receipt }) => receipt));
  for (const turn of ctx.turns.lane(id).open) failUnlaunched(ctx, { turn, error });
  ctx.turns.apply(id, { type: "gone" });
}

async function takenBack(ctx: Pick<Context, "report" | "workspaces">, record: SessionRecord): Promise<boolean> {
  try {
    await ctx.workspaces.takeBack(plannedOf(record), { sessionId: record.id });
    return true;
  } catch (error) {
    ctx.report({ doing: `rolling back the workspace of session ${record.name}`, error });
    return false;
  }
}

/** Rolls back an unfinished workspace after a crash. The session gets the reason, and cannot be resumed: its directory is gone. */
export async function finishProvisioning(ctx: Context, record: SessionRecord): Promise<void> {
  await ctx.workspaces.takeBack(plannedOf(record), { sessionId: record.id });
  const message = "tmpm was interrupted while making its workspace, which was removed";
  const carried = ctx.turns.lane(record.id).open.filter((turn) => isUnlaunched(turn) || isHandedOver(turn));
  for (const turn of carried) failUnlaunched(ctx, { turn, error: { message } });
  await keepFailed(ctx, { record, error: { code: "LAUNCH_FAILED", message } });
}
