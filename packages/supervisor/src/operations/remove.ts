import { canTransition, invalidState, isTerminal, type SessionRecord } from "@tmpm/core";
import type { Context } from "../context.js";
import { finishFirst } from "../discovery/finish-interrupted.js";
import { LEFT_RUNNING, LET_GO, leaveRunning, letGo } from "../discovery/let-go.js";
import { factsOf } from "../facts.js";
import { findSession } from "../find-session.js";
import { type Stopped, stopNow } from "../launch/stop-now.js";
import { type AsSeen, requireRev } from "../require-rev.js";
import { type EndWishes, endWorkspace, recordEnd, type WorkspaceEnd, workspaceEnd } from "../workspace/end-workspace.js";

export interface RemoveInput extends EndWishes, AsSeen {
  readonly session: string;
  /** Leaves its program running and its workspace in place; tmpm no longer manages them. */
  readonly keep_running?: boolean | undefined;
}

export interface Removed extends Stopped {
  /** Null for a session without a workspace of ours, and while processes survive. */
  readonly workspace: WorkspaceEnd | null;
}

/**
 * Stops the session and removes it from the listing; its record is kept. A workspace of ours goes to the trash, from where `undo` restores
 * it; any other directory is not touched. Refused while a process of the session survives, and, after it was stopped, while its workspace
 * is in use or contains unsaved work. A program started by another one is released instead of ended.
 * @throws INVALID_STATE, WORKSPACE_REFUSED with every reason in `details.reasons`, GIT_FAILED, and errors of driver and store
 */
export async function remove(ctx: Context, input: RemoveInput): Promise<Removed> {
  const { id } = await findSession(ctx, input.session);
  return ctx.queue.run(id, async () => removeNow(ctx, { record: await findSession(ctx, id), wishes: input }));
}

export interface Removing {
  readonly record: SessionRecord;
  readonly wishes: Omit<RemoveInput, "session">;
}

/** As `remove`, for a caller that holds the session's queue. */
export async function removeNow(ctx: Context, { record: before, wishes }: Removing): Promise<Removed> {
  requireRev(before, wishes);
  if (!canTransition(before, "decommissioned"))
    throw invalidState(before, { verb: "remove", allowed: ["active", "stopped", "errored", "provisioning"] });
  const { record, workspace } = await finishFirst(ctx, before);
  // The interrupted operation was its removal.
  if (isTerminal(record)) return { session: factsOf(ctx, record), survivors: [], left_alone: null, workspace };
  const keepsRunning = wishes.keep_running ?? false;
  const stopped = keepsRunning ? await left(ctx, record) : await endOrLetGo(ctx, record);
  await ctx.reached("remove.stopped");
  if (stopped.survivors.length > 0) return { ...stopped, workspace: null };
  const leaving = await apartFromFinish(ctx, stopped.session.record);
  const ended = await endWorkspace(ctx, { record: leaving, wishes: keepsRunning ? { keep_workspace: true } : wishes });
  const removed = await recordEnd(ctx, { id: record.id, ended });
  await ctx.reached("remove.recorded");
  return { session: factsOf(ctx, removed), survivors: [], left_alone: stopped.left_alone, workspace: workspaceEnd(ended) };
}

/** An earlier finish left the workspace, so this removal has its own undo. */
async function apartFromFinish(ctx: Pick<Context, "store">, record: SessionRecord): Promise<SessionRecord> {
  if (record.finished === null || record.finished.removed_later === true) return record;
  return ctx.store.update(record.id, (current) =>
    current.finished === null ? current : { ...current, finished: { ...current.finished, removed_later: true } },
  );
}

async function left(ctx: Context, record: SessionRecord): Promise<Stopped> {
  return { session: factsOf(ctx, await leaveRunning(ctx, record)), survivors: [], left_alone: LEFT_RUNNING };
}

/** For a caller that holds the session's queue. */
export async function endOrLetGo(ctx: Context, record: SessionRecord): Promise<Stopped> {
  const released = await letGo(ctx, record);
  if (released !== null) return { session: factsOf(ctx, released), survivors: [], left_alone: LET_GO };
  return stopNow(ctx, { id: record.id, graceMs: ctx.settings.graceMs, cause: "session_removed" });
}
