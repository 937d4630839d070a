import {
  compareTimestamps,
  type Finished,
  invalidState,
  isTerminal,
  type SessionRecord,
  TmpmError,
  timestampFromMs,
  tmuxNameFromName,
  uniqueName,
  type Workspace,
} from "@tmpm/core";
import type { Context } from "../context.js";
import { factsOf, type SessionFacts } from "../facts.js";
import { findSession } from "../find-session.js";
import { movedNothing } from "../finish/conclude-finish.js";
import { isAtFinish, isHalfway, TARGET, targetBack, targetForward } from "../finish/target-back.js";
import { choosingNames, takenNames } from "../launch/session-names.js";
import { belongsTo, requireOwner } from "../owners/require-owner.js";
import { clearIntent, recordChange, recordIntent } from "../record-change.js";
import { givePorts } from "../workspace/ports.js";

export interface UndoInput {
  readonly session?: string | undefined;
  /** Another client's removal is not undone: without a session, the newest that this client may change; null for any. */
  readonly client?: string | null | undefined;
  /** Keep the branch at the finish's commit. */
  readonly keep_target?: boolean | undefined;
}

export interface Undone {
  readonly session: SessionFacts;
  /** Differences from the state before. */
  readonly notes: readonly string[];
}

/**
 * Undoes the newest removal, or that of the given session: its workspace is restored with its branch, and the session is stopped, from
 * where it can be resumed. A branch moved by the finish that removed it is moved back first; an earlier finish stays. If its name is in use
 * by now, it gets the next free one.
 * @throws NOTHING_TO_UNDO, SESSION_NOT_FOUND, SESSION_NOT_OWNED, INVALID_STATE for a session that was not removed, WORKSPACE_GONE, TARGET_EXISTS,
 * FINISH_REFUSED, GIT_FAILED
 */
export async function undo(ctx: Context, input: UndoInput): Promise<Undone> {
  const { id } = input.session === undefined ? await newestRemoved(ctx, input.client ?? null) : await removedSession(ctx, input.session);
  return ctx.queue.run(id, async () => {
    const record = await findSession(ctx, id);
    // A name may mean a live session to the check of the request, and a removed one here.
    requireOwner(record, input.client);
    const keepTarget = input.keep_target ?? false;
    if (isRemoved(record)) return undoNow(ctx, { record, keepTarget });
    if (record.finished === null || keepTarget)
      throw invalidState(record, { verb: "restore", allowed: ["decommissioned", "deleted"], hint: "It was not removed." });
    return unmerge(ctx, record);
  });
}

/** Earlier versions reactivated a session without its workspace, which stayed in the trash. */
function isRemoved(record: SessionRecord): boolean {
  return isTerminal(record) || (record.state !== "active" && (record.workspace?.trashed ?? null) !== null);
}

/** Continues an undo interrupted by a crash, for a caller that holds the session's queue. */
export async function finishUndo(ctx: Context, record: SessionRecord): Promise<void> {
  if (isRemoved(record)) await undoNow(ctx, { record, keepTarget: !isHalfway(record) });
  else if (isHalfway(record)) await unmerge(ctx, record);
  else await clearIntent(ctx, record.id);
}

interface Undoing {
  readonly record: SessionRecord;
  readonly keepTarget: boolean;
}

async function undoNow(ctx: Context, { record, keepTarget }: Undoing): Promise<Undone> {
  const earlier = earlierFinish(record);
  const { moved, workspace, notes } = await restored(ctx, { record, keepTarget: keepTarget || earlier !== null });
  if (earlier === null) await forgetKept(ctx, record);
  const back = await givePorts(ctx, await choosingNames(ctx, () => takeBack(ctx, { record, workspace, finished: earlier })));
  await ctx.reached("undo.recorded");
  ctx.emit({ type: "session_undone", at: back.updated_at, session_id: back.id, to: back.state, reason: "asked" });
  const renamed = back.name === record.name ? [] : [`another session is now named ${record.name}, so this one is ${back.name}`];
  return { session: factsOf(ctx, back), notes: [...moved, ...notes, ...staying(back), ...renamed] };
}

/** A finish with its own undo, because the session was removed later. Null without one, or without the workspace that it needs. */
function earlierFinish({ finished, workspace }: SessionRecord): Finished | null {
  return finished?.removed_later === true && workspace !== null ? { ...finished, removed_later: false } : null;
}

function staying({ finished, name }: SessionRecord): readonly string[] {
  if (finished === null) return [];
  return [`its work stays in ${finished.ref.replace("refs/heads/", "")}, where it was merged before; \`tmpm undo ${name}\` undoes that`];
}

/** For a session whose workspace stayed when it was finished, only the branch moves back. */
async function unmerge(ctx: Context, record: SessionRecord): Promise<Undone> {
  const notes = await targetNow(ctx, record);
  const at = timestampFromMs(ctx.clock.now());
  await forgetKept(ctx, record);
  const back = await ctx.store.update(record.id, (current) => ({ ...current, finished: null, intent: null, updated_at: at }));
  ctx.emit({ type: "session_undone", at, session_id: back.id, to: back.state, reason: "asked" });
  return { session: factsOf(ctx, back), notes };
}

/** Its branch has its commits again. */
async function forgetKept(ctx: Pick<Context, "workspaces">, { id, finished }: SessionRecord): Promise<void> {
  if (finished !== null) await ctx.workspaces.dropCommits({ repository: finished.repository, sessionId: id });
}

/** For a session whose workspace stays: a failure that moved nothing leaves everything as before. */
async function targetNow(ctx: Context, record: SessionRecord): Promise<readonly string[]> {
  if (record.finished === null) return [];
  await recordIntent(ctx, { id: record.id, op: "undo", step: TARGET });
  try {
    return (await targetBack(ctx, record)).notes;
  } catch (error) {
    if (movedNothing(error)) await clearIntent(ctx, record.id);
    else ctx.requests.sweep.notify();
    throw error;
  }
}

interface RestoredAll {
  readonly moved: readonly string[];
  /** Null for a session without a workspace of ours, which is restored without a directory. */
  readonly workspace: Workspace | null;
  readonly notes: readonly string[];
}

/**
 * Everything that can be known is checked before the target moves, so that merged work is never in the trash only. If the workspace cannot
 * be restored nevertheless, the target moves to the finish's commit again.
 */
async function restored(ctx: Context, { record, keepTarget }: Undoing): Promise<RestoredAll> {
  const { id, workspace, finished } = record;
  if (workspace === null) return { moved: stayingIn(keepTarget ? null : finished), workspace: null, notes: [] };
  if (workspace.trashed === null) return { moved: keepTarget ? [] : await targetNow(ctx, record), workspace: null, notes: [] };
  const options = { sessionId: id, trashId: workspace.trashed.id };
  const target = keepTarget ? null : finished;
  const goesBack = target !== null && (isHalfway(record) || (await isAtFinish(ctx, target)));
  let moved = false;
  try {
    await ctx.workspaces.requireRestorable(workspace, options);
    await recordIntent(ctx, { id, op: "undo", step: goesBack ? TARGET : "workspace" });
    await ctx.reached("undo.intended");
    const back = target === null ? null : await targetBack(ctx, record);
    moved = back?.moved ?? false;
    const made = await ctx.workspaces.restore(workspace, options);
    await ctx.reached("undo.restored");
    return { moved: back?.notes ?? [], ...made };
  } catch (error) {
    throw await undoFailed(ctx, { record, target, moved, error });
  }
}

/** Without its workspace, merged work may be nowhere but in its target. */
function stayingIn(finished: Finished | null): readonly string[] {
  if (finished === null) return [];
  return [`its workspace is no longer in the trash, so its work stays in ${finished.ref.replace("refs/heads/", "")}`];
}

interface FailedUndo {
  readonly record: SessionRecord;
  readonly target: Finished | null;
  /** Whether this undo has moved the target back. */
  readonly moved: boolean;
  readonly error: unknown;
}

/** A partial failure keeps its intent, for reconcile. */
async function undoFailed(ctx: Context, { record, target, moved, error }: FailedUndo): Promise<unknown> {
  const failure =
    error instanceof TmpmError && error.effect === "none" && target !== null && (moved || isHalfway(record))
      ? await targetForward(ctx, { record, finished: target, moved, failure: error })
      : error;
  if (movedNothing(failure)) await clearIntent(ctx, record.id);
  else ctx.requests.sweep.notify();
  return failure;
}

/** Unarchived first: a crash in between leaves a finished session in the listing. */
async function takeBack(
  ctx: Context,
  { record, workspace, finished }: { record: SessionRecord; workspace: Workspace | null; finished: Finished | null },
): Promise<SessionRecord> {
  const { id } = record;
  const names = isTerminal(record) ? await freeNames(ctx, record) : {};
  const place = workspace === null ? {} : { workspace, workspace_path: workspace.path, workspace_owned: true };
  const changes = { ...names, ...place, finished };
  await ctx.store.unarchive(id);
  await ctx.reached("undo.unarchived");
  if (isTerminal(record)) {
    return recordChange(ctx, { id, reason: "undone", change: () => ({ type: "reactivated" }), also: () => changes });
  }
  const updated_at = timestampFromMs(ctx.clock.now());
  return ctx.store.update(id, (current) => ({ ...current, ...changes, intent: null, updated_at }));
}

async function freeNames(
  ctx: Pick<Context, "store">,
  { name, tmux_name }: SessionRecord,
): Promise<Pick<SessionRecord, "name" | "tmux_name">> {
  const free = uniqueName(name, await takenNames(ctx));
  return { name: free, tmux_name: free === name ? tmux_name : tmuxNameFromName(free) };
}

async function newestRemoved(ctx: Pick<Context, "store">, client: string | null): Promise<SessionRecord> {
  const entries = await ctx.store.list({ archived: true });
  const removed = entries.flatMap((entry) => (entry.kind === "session" && entry.record.state === "decommissioned" ? [entry.record] : []));
  const [newest] = newestFirst(removed.filter(({ owner }) => belongsTo(owner, client)));
  if (newest !== undefined) return newest;
  throw new TmpmError("NOTHING_TO_UNDO", "no removed session can be restored", {
    hint: "`tmpm ls --all` lists the finished ones.",
  });
}

/** A finished session of that name is meant, though a live one may have it by now. */
async function removedSession(ctx: Context, text: string): Promise<SessionRecord> {
  const found = await ctx.store.find(text, { archived: true });
  const removed = found.flatMap((entry) => (entry.kind === "session" && isTerminal(entry.record) ? [entry.record] : []));
  const [newest] = newestFirst(removed);
  const sameName = new Set(removed.map(({ name }) => name)).size === 1;
  return newest !== undefined && sameName ? newest : findSession(ctx, text);
}

function newestFirst(records: readonly SessionRecord[]): readonly SessionRecord[] {
  return [...records].sort((a, b) => compareTimestamps(b.terminal_at ?? b.updated_at, a.terminal_at ?? a.updated_at));
}
