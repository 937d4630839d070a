import { join } from "node:path";
import { type SessionRecord, TmpmError, timestampFromMs } from "@tmpm/core";
import type { Context } from "../context.js";

/**
 * Recreates the missing workspace of a session. The caller holds the session's queue. @throws INVALID_ARGUMENT, TARGET_EXISTS, and the
 * errors of making one
 */
export async function recreate(ctx: Context, record: SessionRecord): Promise<SessionRecord> {
  const { id, name, project_id, workspace } = record;
  if (workspace === null || workspace.trashed !== null) {
    throw new TmpmError("INVALID_ARGUMENT", `session ${name} has no workspace made by tmpm to recreate`, {
      hint: `If its directory was moved, set its new location with \`tmpm set ${name} --cwd DIR\`.`,
      details: { field: "recreate" },
    });
  }
  const { standing } = ctx.workspaces;
  const before = await standing(workspace);
  if (before.kind === "standing" || before.kind === "cut_off") return record;
  const { kind, source, branch } = workspace;
  const request = {
    sessionId: id,
    name,
    projectId: project_id,
    source: kind === "worktree" ? ({ kind, directory: source } as const) : ({ kind, from: source } as const),
    branch,
  };
  // Its old identity would make the new directory look foreign, after a crash before that is written.
  await ctx.store.update(id, (current) => ({ ...current, workspace: { ...workspace, identity: null } }));
  const made = await ctx.workspaces.recreate(workspace, { request });
  const at = timestampFromMs(ctx.clock.now());
  const after = await ctx.store.update(id, (current) => ({
    ...current,
    workspace: made,
    workspace_path: made.path,
    workspace_owned: true,
    cwd: join(made.path, made.folder),
    updated_at: at,
  }));
  ctx.emit({ type: "workspace_created", at, session_id: id, path: made.path, branch: made.branch });
  return after;
}
