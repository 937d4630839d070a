import { type SessionRecord, sourceIdOf, TmpmError } from "@tmpm/core";
import type { Context } from "../context.js";
import { requireDirectory } from "./launch.js";

/**
 * The record's changes for another directory. A session with a workspace of its own stays in it: it may move to another folder of it, or be
 * reconnected to its moved repository. @throws INVALID_ARGUMENT, DIRECTORY_NOT_FOUND, REPOSITORY_NOT_FOUND, GIT_FAILED
 */
export async function newPlace(
  ctx: Pick<Context, "describeDirectory" | "directories" | "workspaces">,
  { record, cwd }: { readonly record: SessionRecord; readonly cwd: string },
): Promise<Partial<SessionRecord>> {
  if (!cwd.startsWith("/") || cwd.includes("\0")) throw wrong("the directory must be an absolute path");
  const { git, realPath } = await requireDirectory(ctx, cwd);
  const { workspace, name, id } = record;
  if (workspace === null || workspace.trashed !== null) {
    const repo_url = git?.remote ?? null;
    const of = { project_path: git?.root ?? null, repo_url, source_id: sourceIdOf(repo_url), branch: git?.branch ?? null };
    return { cwd, workspace_path: null, ...of };
  }
  if (realPath === workspace.path || realPath.startsWith(`${workspace.path}/`)) return { cwd: realPath };
  if (workspace.repository === null) throw wrong(`session ${name} works in its own clone, ${JSON.stringify(workspace.path)}`);
  const relinked = await ctx.workspaces.relink(workspace, { sessionId: id, directory: cwd });
  return { workspace: relinked, project_path: relinked.source };
}

function wrong(message: string): TmpmError {
  return new TmpmError("INVALID_ARGUMENT", message, { details: { field: "cwd" } });
}
