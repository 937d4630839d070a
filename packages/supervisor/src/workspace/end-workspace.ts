import { isTerminal, type SessionRecord, TmpmError, timestampFromMs, type Workspace } from "@tmpm/core";
import type { BranchOutcome, OtherSession, Removal } from "@tmpm/workspace";
import type { Context } from "../context.js";
import { forgetCommits } from "../finish/forget-commits.js";
import { clearIntent, recordChange, recordIntent } from "../record-change.js";
import { tearDown } from "./tear-down.js";

export interface EndWishes {
  /** Keep the directory instead of moving it to the trash. */
  readonly keep_workspace?: boolean | undefined;
  /** Move unsaved work to the trash too. */
  readonly discard?: boolean | undefined;
}

/** The result for a workspace; null without one. */
export type EndedWorkspace = { readonly workspace: Workspace; readonly removal: Removal | { readonly kind: "kept" } } | null;

/** The actual result for a session's workspace. */
export type WorkspaceEnd =
  | { readonly outcome: "kept" | "missing"; readonly path: string }
  | {
      readonly outcome: "trashed";
      readonly path: string;
      readonly trash_path: string;
      readonly until: string;
      /** Of a worktree; the branches of a clone go with it. */
      readonly branch: { readonly name: string; readonly outcome: BranchOutcome["kind"]; readonly why: string | null } | null;
      /** Number of ignored files and folders moved to the trash with the rest. */
      readonly ignored: number;
    };

/** Moves the workspace of a stopped session to the trash. A refusal changes nothing. @throws WORKSPACE_REFUSED, GIT_FAILED, UNSAFE_PATH */
export async function endWorkspace(
  ctx: Context,
  of: { readonly record: SessionRecord; readonly wishes: EndWishes },
): Promise<EndedWorkspace> {
  const { id, workspace } = of.record;
  if (workspace === null || workspace.trashed !== null) return null;
  if (of.wishes.keep_workspace) return { workspace, removal: { kind: "kept" } };
  // Its last snapshot is read from it.
  await ctx.turnTrees.settled(id);
  const intended = await recordIntent(ctx, { id, op: "remove", step: "workspace" });
  await ctx.reached("remove.intended");
  try {
    const removal = await ctx.workspaces.remove(workspace, {
      sessionId: id,
      others: await otherSessions(ctx, id),
      trashId: intended.intent?.key ?? id,
      discard: of.wishes.discard ?? false,
      leaving: () => tearDown(ctx, of.record),
    });
    await ctx.reached("remove.trashed");
    return { workspace, removal };
  } catch (error) {
    // A partial failure keeps its intent, for reconcile.
    if (error instanceof TmpmError && error.effect === "none") await clearIntent(ctx, id);
    else ctx.requests.sweep.notify();
    throw error;
  }
}

async function otherSessions(ctx: Pick<Context, "store">, id: string): Promise<readonly OtherSession[]> {
  const entries = await ctx.store.list({ archived: true });
  return entries.flatMap((entry) => {
    if (entry.kind !== "session" || entry.record.id === id || isTerminal(entry.record)) return [];
    const { name, cwd, workspace_path } = entry.record;
    return [{ name, cwd, workspacePath: workspace_path }];
  });
}

/** Records the session's end and its workspace's result, in one write. */
export async function recordEnd(ctx: Context, of: { readonly id: string; readonly ended: EndedWorkspace }): Promise<SessionRecord> {
  const { id, ended } = of;
  const removed = await recordChange(ctx, {
    id,
    change: () => ({ type: "decommissioned" }),
    also: () => (ended === null ? {} : { workspace_path: null, workspace_owned: false, workspace: trashed(ended) }),
  });
  // Only a workspace in the trash can be restored.
  if (ended !== null && ended.removal.kind !== "trashed") await forgetCommits(ctx, removed);
  emitEnded(ctx, { removed, ended });
  return removed;
}

/**
 * Finishes or rolls back a removal interrupted by a crash, for a caller that holds the session's queue. Returns the result for its workspace;
 * null when it was rolled back.
 */
export async function finishRemove(ctx: Context, { id, workspace, intent }: SessionRecord): Promise<WorkspaceEnd | null> {
  const removal = workspace === null || intent === null ? null : await ctx.workspaces.finishRemoval(intent.key);
  if (workspace === null || removal === null) {
    await clearIntent(ctx, id);
    return null;
  }
  const ended = { workspace, removal };
  await recordEnd(ctx, { id, ended });
  return workspaceEnd(ended);
}

function emitEnded(ctx: Pick<Context, "emit">, of: { readonly removed: SessionRecord; readonly ended: EndedWorkspace }): void {
  const { removed, ended } = of;
  const common = { at: removed.updated_at, session_id: removed.id };
  const gone = ended !== null && ended.removal.kind !== "kept";
  if (gone) {
    const trash_path = ended.removal.kind === "trashed" ? ended.removal.path : null;
    ctx.emit({ ...common, type: "workspace_removed", path: ended.workspace.path, trash_path });
  }
  const kept = ended !== null && !gone;
  ctx.emit({ ...common, type: "session_removed", workspace_removed: gone, ...(kept ? { reason: "kept_as_asked" } : {}) });
}

/** A kept directory is no longer ours, and a missing one cannot be restored. */
function trashed({ workspace, removal }: NonNullable<EndedWorkspace>): Workspace | null {
  if (removal.kind !== "trashed") return null;
  return { ...workspace, trashed: { id: removal.id, at: timestampFromMs(removal.at), until: timestampFromMs(removal.until) } };
}

export function workspaceEnd(ended: EndedWorkspace): WorkspaceEnd | null {
  if (ended === null) return null;
  const { workspace, removal } = ended;
  if (removal.kind !== "trashed") return { outcome: removal.kind, path: workspace.path };
  const { branch } = removal;
  return {
    outcome: "trashed",
    path: workspace.path,
    trash_path: removal.path,
    until: timestampFromMs(removal.until),
    branch: branch === null ? null : { name: branch.name, outcome: branch.kind, why: branch.kind === "kept" ? branch.why : null },
    ignored: removal.ignored,
  };
}
