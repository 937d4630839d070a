import { type Finished, hasCode, type SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";
import { clearIntent } from "../record-change.js";
import { endWorkspace, recordEnd, type WorkspaceEnd, workspaceEnd } from "../workspace/end-workspace.js";

/** A session whose work is in its target. */
export interface FinishedSession {
  readonly record: SessionRecord;
  /** Null while the workspace stays; `kept` is why. */
  readonly workspace: WorkspaceEnd | null;
  readonly kept: string | null;
}

/**
 * Records that the work was merged, and only then ends the session and its workspace. A workspace that cannot go to the trash keeps the
 * session, stopped.
 */
export async function concludeFinish(
  ctx: Context,
  of: { readonly record: SessionRecord; readonly finished: Finished },
): Promise<FinishedSession> {
  const { id } = of.record;
  const recorded = await ctx.store.update(id, (current) => ({
    ...current,
    finished: of.finished,
    updated_at: timestampFromMs(ctx.clock.now()),
  }));
  await ctx.reached("finish.recorded");
  const { how, ref, from, to, checkout } = of.finished;
  ctx.emit({ type: "session_finished", at: recorded.updated_at, session_id: id, how, ref, from, to, checkout });
  try {
    const ended = await endWorkspace(ctx, { record: recorded, wishes: {} });
    await ctx.reached("remove.trashed");
    return { record: await recordEnd(ctx, { id, ended }), workspace: workspaceEnd(ended), kept: null };
  } catch (error) {
    if (!hasCode(error, "WORKSPACE_REFUSED", "UNSAFE_PATH")) throw error;
    return { record: await clearIntent(ctx, id), workspace: null, kept: error.message };
  }
}

/**
 * Continues a finish that a crash interrupted: merged work is concluded, any other is left as before. The caller holds the session's queue.
 * Returns the result for its workspace; null while that stays.
 */
export async function finishFinish(ctx: Context, record: SessionRecord): Promise<WorkspaceEnd | null> {
  const finished = record.intent?.finish;
  const state = finished === undefined ? "elsewhere" : await ctx.workspaces.targetState(finished);
  if (finished === undefined || state === "elsewhere" || state === "before") {
    await nothingFinished(ctx, record);
    return null;
  }
  // The branch may have moved, but not its checkout.
  if (state === "moved") await ctx.workspaces.moveTarget({ ...finished, why: reflogMessage(record) });
  return (await concludeFinish(ctx, { record, finished })).workspace;
}

/** Data kept for a finish that did not happen is not needed. */
export async function nothingFinished(ctx: Pick<Context, "clock" | "store" | "workspaces">, { id, intent }: SessionRecord): Promise<void> {
  if (intent?.finish !== undefined) await ctx.workspaces.dropCommits({ repository: intent.finish.repository, sessionId: id });
  await clearIntent(ctx, id);
}

export function reflogMessage({ name }: Pick<SessionRecord, "name">): string {
  return `tmpm finish: ${name}`;
}

/** Nothing was moved if the error's effect is none. */
export function movedNothing(error: unknown): boolean {
  return error instanceof TmpmError && error.effect === "none";
}
